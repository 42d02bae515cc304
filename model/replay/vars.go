package replay

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"hindcast/model"
)

// vars are the named values of the session, by the first token of their path;
// what stands below is part of the value. Each is canonical JSON.
type vars struct{ values map[string]string }

// deepest is how far below /vars a path is followed.
const deepest = 1000

func varPath(name string) string { return model.PathVars + "/" + Escape(name) }

// set: objects that the path needs are made, and a scalar in its way becomes
// one; in an array it replaces an element or, as index the length or "-",
// appends one. A path that leads nowhere and a value that is no JSON change
// nothing.
func (f *vars) set(s *step, x model.Set) {
	name, below, ok := varTokens(x.Path)
	value, valid := decode(x.Value)
	if !ok || !valid {
		return
	}
	if len(below) > 0 {
		if value, ok = setAt(f.decoded(name), below, value); !ok {
			return
		}
	}
	if text := encode(value); json.Valid(text) {
		f.put(s, name, string(text))
	}
}

// unset: an element that leaves an array lets the others move up.
func (f *vars) unset(s *step, x model.Unset) {
	name, below, ok := varTokens(x.Path)
	if !ok || f.values[name] == "" {
		return
	}
	if len(below) == 0 {
		f.put(s, name, "")
		return
	}
	if value, ok := removeAt(f.decoded(name), below); ok {
		f.put(s, name, string(encode(value)))
	}
}

func varTokens(path string) (name string, below []string, ok bool) {
	rest, ok := strings.CutPrefix(path, model.PathVars+"/")
	if !ok || strings.Count(rest, "/") > deepest {
		return "", nil, false
	}
	list := tokens(rest, true)
	return list[0], list[1:], true
}

func (f *vars) decoded(name string) any {
	v, _ := decode([]byte(f.values[name]))
	return v
}

// put: an empty text is no value.
func (f *vars) put(s *step, name, now string) *touched {
	old := f.value(name)
	if now == "" {
		delete(f.values, name)
	} else {
		f.values[name] = now
	}
	return s.put(varPath(name), old, f.value(name))
}

func (f *vars) value(name string) model.Value {
	if text, ok := f.values[name]; ok {
		return model.Value{JSON: []byte(text)}
	}
	return model.Value{}
}

// setAt sets what stands at a path below v, and gives v as it is then.
func setAt(v any, path []string, value any) (any, bool) {
	if len(path) == 0 {
		return value, true
	}
	if list, ok := v.([]any); ok {
		i, ok := index(path[0], len(list))
		if !ok {
			return nil, false
		}
		if i == len(list) {
			list = append(list, nil)
		}
		list[i], ok = setAt(list[i], path[1:], value)
		return list, ok
	}
	object, ok := v.(map[string]any)
	if !ok {
		object = map[string]any{}
	}
	below, ok := setAt(object[path[0]], path[1:], value)
	object[path[0]] = below
	return object, ok
}

// removeAt takes out what stands at a path below v; false where nothing does.
func removeAt(v any, path []string) (any, bool) {
	last := len(path) == 1
	switch v := v.(type) {
	case map[string]any:
		below, ok := v[path[0]]
		if ok && last {
			delete(v, path[0])
		} else if ok {
			v[path[0]], ok = removeAt(below, path[1:])
		}
		return v, ok
	case []any:
		i, ok := index(path[0], len(v))
		if !ok || i == len(v) {
			return v, false
		}
		if last {
			return slices.Delete(v, i, i+1), true
		}
		v[i], ok = removeAt(v[i], path[1:])
		return v, ok
	}
	return v, false
}

// index reads an array index of RFC 6901, up to n; "-" is n.
func index(token string, n int) (int, bool) {
	if token == "-" {
		return n, true
	}
	i, err := strconv.Atoi(token)
	return i, err == nil && i >= 0 && i <= n && strconv.Itoa(i) == token
}

func (f *vars) restore(s *step, cells []PastCell, _ model.LostReason) {
	for _, c := range cells {
		f.put(s, member(c.Path, model.PathVars), string(c.Value.JSON)).restores = c.Pos
	}
}

func (f *vars) save(w *encoder) {
	w.int(int64(len(f.values)))
	for _, name := range slices.Sorted(maps.Keys(f.values)) {
		w.text(name)
		w.text(f.values[name])
	}
}

func (f *vars) load(r *decoder) {
	f.values = map[string]string{}
	for range r.count() {
		name := r.text()
		f.values[name] = r.text()
	}
}

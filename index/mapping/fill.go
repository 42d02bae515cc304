package mapping

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"hindcast/model/dialect/mapped"
)

// filler takes a TOML document over into the structs of package mapped, whose
// tags are the keys, and keeps the first thing that does not fit.
type filler struct{ err *mapped.Error }

// fill fills what to points at. An error is a *mapped.Error.
func fill(to any, tree map[string]any) error {
	var f filler
	f.table("", reflect.ValueOf(to).Elem(), tree)
	if f.err != nil {
		return f.err
	}
	return nil
}

func (f *filler) fail(key, message, hint string) {
	if f.err == nil {
		f.err = &mapped.Error{Key: key, Message: message, Hint: hint}
	}
}

// under is the key of a member.
func under(key, name string) string {
	if key == "" {
		return name
	}
	return key + "." + name
}

// table fills a struct; a key that it has no field for is refused.
func (f *filler) table(key string, to reflect.Value, tree map[string]any) {
	fields := map[string]reflect.Value{}
	collect(to, fields)
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		field, ok := fields[name]
		if !ok {
			f.fail(under(key, name), "there is no such key", "the keys here are "+strings.Join(slices.Sorted(maps.Keys(fields)), ", "))
			return
		}
		f.set(under(key, name), field, tree[name])
	}
}

// collect finds the fields of a struct by their keys.
func collect(to reflect.Value, fields map[string]reflect.Value) {
	for i := range to.NumField() {
		if t := to.Type().Field(i); t.Anonymous {
			collect(to.Field(i), fields)
		} else {
			fields[t.Tag.Get("key")] = to.Field(i)
		}
	}
}

// set fills a field with what stands in the file.
func (f *filler) set(key string, to reflect.Value, v any) {
	switch at := to.Addr().Interface().(type) {
	case *string:
		*at = f.text(key, v)
	case *bool:
		*at = f.flag(key, v)
	case *[]string:
		*at = f.texts(key, v)
	case *map[string][]string:
		*at = map[string][]string{}
		for name, one := range f.members(key, v) {
			(*at)[name] = f.texts(under(key, name), one)
		}
	case *mapped.Value:
		*at = f.value(key, v)
	case *[]mapped.Value:
		for i, one := range list(v) {
			*at = append(*at, f.value(fmt.Sprintf("%s[%d]", key, i), one))
		}
	case **mapped.Failed:
		*at = f.failed(key, v)
	case *mapped.Detect:
		f.table(key, to, f.members(key, v))
	case *mapped.Event:
		f.table(key, to, f.members(key, v))
	case *[]mapped.Rule:
		for i, one := range f.elements(key, v, "[[rule]] begins a rule") {
			var r mapped.Rule
			inner := fmt.Sprintf("%s[%d]", key, i)
			f.table(inner, reflect.ValueOf(&r).Elem(), f.members(inner, one))
			*at = append(*at, r)
		}
	case *[]mapped.Effect:
		for i, one := range f.elements(key, v, `effects = [{ do = "message", ... }]`) {
			*at = append(*at, f.effect(fmt.Sprintf("%s[%d]", key, i), one))
		}
	}
}

func (f *filler) effect(key string, v any) (x mapped.Effect) {
	x.Args = map[string]mapped.Value{}
	tree := f.members(key, v)
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		switch inner := under(key, name); name {
		case "do":
			x.Do = f.text(inner, tree[name])
		case "each":
			x.Each = f.text(inner, tree[name])
		default:
			x.Args[name] = f.value(inner, tree[name])
		}
	}
	return x
}

// value: a text that begins as a pointer is one, any other is meant as it
// stands but for pointers in braces; a number or truth is itself; a table says
// more.
func (f *filler) value(key string, v any) (out mapped.Value) {
	switch v := v.(type) {
	case string:
		if strings.HasPrefix(v, "/") || strings.HasPrefix(v, "@") {
			return mapped.Value{At: v}
		}
		if v == "" {
			f.fail(key, "is empty", `leave the key out, or name a place in the record: "/data/id"`)
		}
		return mapped.Value{Text: v}
	case map[string]any:
		return f.worded(key, v)
	case []any:
		f.fail(key, "is a list", `one place or text: "/data/id"`)
	}
	b, err := json.Marshal(v)
	if err != nil {
		f.fail(key, "is no value of JSON", "a text, a number, true or false")
	}
	out.Const = string(b)
	return out
}

// worded is a value with words in place of those that stand in the record.
func (f *filler) worded(key string, tree map[string]any) (out mapped.Value) {
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		switch inner := under(key, name); name {
		case "at":
			out.At = f.text(inner, tree[name])
		case "map":
			out.Map = map[string]string{}
			for word, to := range f.members(inner, tree[name]) {
				out.Map[word] = f.text(under(inner, word), to)
			}
		case "otherwise":
			out.Otherwise = f.text(inner, tree[name])
		default:
			f.fail(inner, "there is no such key", "the keys here are at, map, otherwise")
		}
	}
	if out.At == "" {
		f.fail(key, "does not say where it stands", `{ at = "/data/role", map = { human = "user" }, otherwise = "assistant" }`)
	}
	return out
}

func (f *filler) failed(key string, v any) *mapped.Failed {
	switch v := v.(type) {
	case string:
		return &mapped.Failed{At: v}
	case bool:
		if !v {
			f.fail(key, "is false", "leave it out, or name the place that tells a failure")
		}
		return &mapped.Failed{Always: true}
	}
	var out struct {
		At  string   `key:"at"`
		Is  []string `key:"is"`
		Not []string `key:"not"`
	}
	f.table(key, reflect.ValueOf(&out).Elem(), f.members(key, v))
	return &mapped.Failed{At: out.At, Is: out.Is, Not: out.Not}
}

func (f *filler) text(key string, v any) string {
	switch v := v.(type) {
	case string:
		return v
	case bool, int64, float64:
		return fmt.Sprint(v)
	}
	f.fail(key, "is no text", `write it in quotes: "..."`)
	return ""
}

// texts is a list of texts, or one.
func (f *filler) texts(key string, v any) (all []string) {
	for i, one := range list(v) {
		inner := key
		if _, several := v.([]any); several {
			inner = fmt.Sprintf("%s[%d]", key, i)
		}
		all = append(all, f.text(inner, one))
	}
	return all
}

func (f *filler) flag(key string, v any) bool {
	b, ok := v.(bool)
	if !ok {
		f.fail(key, "is neither true nor false", "write it without quotes: true")
	}
	return b
}

func (f *filler) members(key string, v any) map[string]any {
	tree, ok := v.(map[string]any)
	if !ok {
		f.fail(key, "is no table", "{ key = value }, or a part of the file that begins with ["+key+"]")
	}
	return tree
}

func (f *filler) elements(key string, v any, hint string) []any {
	all, ok := v.([]any)
	if !ok {
		f.fail(key, "is no list", hint)
	}
	return all
}

// list is a list, or the list of one value.
func list(v any) []any {
	if all, ok := v.([]any); ok {
		return all
	}
	return []any{v}
}

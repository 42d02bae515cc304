package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"hindcast/model/answer"
)

// schemas reads docs/schema, one JSON Schema (draft 2020-12) an answer.
type schemas map[string]map[string]any

func readSchemas(t *testing.T) schemas {
	t.Helper()
	names, err := filepath.Glob("../../docs/schema/*.json")
	if err != nil || len(names) == 0 {
		t.Fatalf("no schemas: %v", err)
	}
	all := schemas{}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var s map[string]any
		if err := json.Unmarshal(data, &s); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		base := filepath.Base(name)
		if s["$id"] != base || s["$schema"] != "https://json-schema.org/draft/2020-12/schema" || s["title"] == nil {
			t.Errorf("%s: its $id, $schema or title is wrong", base)
		}
		all[strings.TrimSuffix(base, ".json")] = s
	}
	return all
}

// follow finds the schema that a reference means.
func (all schemas) follow(s map[string]any, file string) (map[string]any, string) {
	for {
		ref, ok := s["$ref"].(string)
		if !ok {
			return s, file
		}
		name, pointer, _ := strings.Cut(ref, "#")
		if name != "" {
			file = strings.TrimSuffix(name, ".json")
		}
		def := strings.TrimPrefix(pointer, "/$defs/")
		next, ok := all[file]["$defs"].(map[string]any)[def].(map[string]any)
		if !ok {
			panic("no schema " + ref + " from " + file)
		}
		s = next
	}
}

// notes are the words of a schema that demand nothing.
var notes = []string{"$schema", "$id", "$defs", "title", "description"}

// check lists what is wrong with a decoded value. A word of the schema language
// that it does not know is wrong too, so that nothing passes unread.
func (all schemas) check(v any, s map[string]any, file, at string) (wrong []string) {
	s, file = all.follow(s, file)
	say := func(format string, args ...any) { wrong = append(wrong, at+": "+fmt.Sprintf(format, args...)) }
	for word, want := range s {
		switch word {
		case "type":
			if !isOf(v, want) {
				say("%T is not of type %v", v, want)
			}
		case "enum":
			if !slices.Contains(want.([]any), v) {
				say("%v is none of %v", v, want)
			}
		case "minimum":
			if n, ok := number(v); ok && n < want.(float64) {
				say("%v is below %v", v, want)
			}
		case "minItems", "maxItems":
			if list, ok := v.([]any); ok && (word == "minItems") == (float64(len(list)) < want.(float64)) && float64(len(list)) != want.(float64) {
				say("%d items, %s %v", len(list), word, want)
			}
		case "items":
			list, _ := v.([]any)
			for i, item := range list {
				wrong = append(wrong, all.check(item, want.(map[string]any), file, fmt.Sprintf("%s/%d", at, i))...)
			}
		case "required":
			object, _ := v.(map[string]any)
			for _, name := range want.([]any) {
				if _, ok := object[name.(string)]; object != nil && !ok {
					say("%s is missing", name)
				}
			}
		case "properties", "additionalProperties":
			if word == "properties" || s["properties"] == nil {
				wrong = append(wrong, all.members(v, s, file, at)...)
			}
		case "anyOf":
			var none []string
			for _, one := range want.([]any) {
				faults := all.check(v, one.(map[string]any), file, at)
				if len(faults) == 0 {
					none = nil
					break
				}
				none = append(none, faults...)
			}
			wrong = append(wrong, none...)
		default:
			if !slices.Contains(notes, word) {
				say("the schema says %s, which this test does not know", word)
			}
		}
	}
	return wrong
}

// members checks an object's members by name, and the others by what may stand
// beside them.
func (all schemas) members(v any, s map[string]any, file, at string) (wrong []string) {
	object, _ := v.(map[string]any)
	named, _ := s["properties"].(map[string]any)
	for name, member := range object {
		where := at + "/" + name
		if one, ok := named[name].(map[string]any); ok {
			wrong = append(wrong, all.check(member, one, file, where)...)
			continue
		}
		switch rest := s["additionalProperties"].(type) {
		case bool:
			if !rest {
				wrong = append(wrong, where+": no such member in the schema")
			}
		case map[string]any:
			wrong = append(wrong, all.check(member, rest, file, where)...)
		}
	}
	return wrong
}

func isOf(v, want any) bool {
	if list, ok := want.([]any); ok {
		return slices.ContainsFunc(list, func(one any) bool { return isOf(v, one) })
	}
	switch v := v.(type) {
	case nil:
		return want == "null"
	case bool:
		return want == "boolean"
	case string:
		return want == "string"
	case []any:
		return want == "array"
	case map[string]any:
		return want == "object"
	case json.Number:
		n, err := v.Float64()
		return want == "number" || want == "integer" && err == nil && n == math.Trunc(n)
	}
	return false
}

func number(v any) (float64, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	f, err := n.Float64()
	return f, err == nil
}

// holds checks one JSON value, or one a line, against the schema of a name.
func (all schemas) holds(t *testing.T, name, text string) {
	t.Helper()
	if all[name] == nil {
		t.Fatalf("no schema %s", name)
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	for d.More() {
		var v any
		if err := d.Decode(&v); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		schema := name
		if object, ok := v.(map[string]any); ok && object["watch"] != nil {
			schema = "watch"
		}
		for _, w := range all.check(v, all[schema], schema, "") {
			t.Errorf("%s.json: %s", schema, w)
		}
	}
}

// shapes are the Go types that are written as each schema says.
var shapes = map[string]any{
	"bisect": answer.Bisect{}, "blame": answer.Blame{}, "blame-file": answer.BlameFile{}, "check": answer.Check{}, "config": settings{}, "context": answer.Context{},
	"dialects": formats{}, "diff": answer.Diff{}, "effects": answer.Effects{}, "error": answer.Error{}, "event": answer.Event{}, "events": answer.Events{},
	"history": answer.History{}, "import": answer.Import{}, "installed": answer.Installed{}, "knew": answer.Knew{}, "notes": remarks{}, "origin": answer.Origin{}, "sessions": answer.Sessions{},
	"dialects-try": answer.Try{}, "state": answer.State{}, "state-value": answer.StateValue{}, "stats": answer.Stats{}, "version": Version{}, "watch": watched{},
	"why": answer.Why{}, "why-tree": tree{},
}

// TestSchemasHaveTheShapesOfAnswers: each schema names the members of its Go
// type, no more and no less, and which may be left out or null.
func TestSchemasHaveTheShapesOfAnswers(t *testing.T) {
	all := readSchemas(t)
	page, err := os.ReadFile("../../docs/schema/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for name := range all {
		if shapes[name] == nil && name != "common" {
			t.Errorf("%s.json belongs to no answer", name)
		}
		if !bytes.Contains(page, []byte("`"+name+".json`")) {
			t.Errorf("the page of the schemas does not name %s.json", name)
		}
	}
	for name, v := range shapes {
		if all[name] == nil {
			t.Errorf("no schema %s.json", name)
			continue
		}
		for _, w := range all.sameShape(reflect.TypeOf(v), all[name], name, name) {
			t.Error(w)
		}
	}
}

func (all schemas) sameShape(typ reflect.Type, s map[string]any, file, at string) (wrong []string) {
	s, file = all.follow(s, file)
	null := isOf(nil, s["type"])
	if list, ok := s["anyOf"].([]any); ok {
		null = true
		s, file = all.follow(list[0].(map[string]any), file)
	}
	if typ == reflect.TypeOf(json.RawMessage{}) {
		if s["type"] != nil {
			wrong = append(wrong, at+": may be any JSON")
		}
		return wrong
	}
	if pointer := typ.Kind() == reflect.Pointer; pointer != null {
		wrong = append(wrong, fmt.Sprintf("%s: null is possible: %v, in the schema: %v", at, pointer, null))
	} else if pointer {
		typ = typ.Elem()
	}
	switch typ.Kind() {
	case reflect.Slice, reflect.Array:
		items, ok := s["items"].(map[string]any)
		if !ok {
			return append(wrong, at+": is a list")
		}
		return append(wrong, all.sameShape(typ.Elem(), items, file, at+"[]")...)
	case reflect.Map:
		rest, ok := s["additionalProperties"].(map[string]any)
		if !ok {
			return append(wrong, at+": is a map")
		}
		return append(wrong, all.sameShape(typ.Elem(), rest, file, at+"{}")...)
	case reflect.Struct:
		return append(wrong, all.sameMembers(typ, s, file, at)...)
	}
	kind := map[reflect.Kind]string{reflect.String: "string", reflect.Bool: "boolean", reflect.Int: "integer", reflect.Int64: "integer", reflect.Float64: "number"}[typ.Kind()]
	have := s["type"]
	if list, ok := have.([]any); ok {
		have = list[0]
	}
	if s["enum"] == nil && have != kind {
		wrong = append(wrong, fmt.Sprintf("%s: is %s, in the schema %v", at, kind, have))
	}
	return wrong
}

func (all schemas) sameMembers(typ reflect.Type, s map[string]any, file, at string) (wrong []string) {
	named, _ := s["properties"].(map[string]any)
	required, _ := s["required"].([]any)
	if s["additionalProperties"] != false {
		wrong = append(wrong, at+": additionalProperties must be false")
	}
	seen := map[string]bool{}
	for _, f := range reflect.VisibleFields(typ) {
		tag, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || tag == "-" {
			continue
		}
		seen[tag] = true
		member, ok := named[tag].(map[string]any)
		if !ok {
			wrong = append(wrong, at+"."+tag+": not in the schema")
			continue
		}
		optional := options == "omitempty"
		if slices.Contains(required, any(tag)) == optional {
			wrong = append(wrong, fmt.Sprintf("%s.%s: may be left out: %v, in the schema: %v", at, tag, optional, !optional))
		}
		ft := f.Type
		if optional && ft.Kind() == reflect.Pointer {
			ft = ft.Elem() // left out, never null
		}
		wrong = append(wrong, all.sameShape(ft, member, file, at+"."+tag)...)
	}
	for name := range named {
		if !seen[name] {
			wrong = append(wrong, at+"."+name+": only in the schema")
		}
	}
	return wrong
}

// TestSchemasRefuse: the checker finds what it should.
func TestSchemasRefuse(t *testing.T) {
	all := readSchemas(t)
	for text, want := range map[string]string{
		`{"expr":"x","reads":[],"flips":[]}`:                      "",
		`{"expr":"x","reads":[]}`:                                 "flips is missing",
		`{"expr":1,"reads":[],"flips":[]}`:                        "not of type",
		`{"expr":"x","reads":[],"flips":[],"more":1}`:             "no such member",
		`{"expr":"x","reads":[],"flips":[{"by":null,"to":true}]}`: "not of type",
		`{"expr":"x","reads":[],"flips":[{"by":{"session":"s","seq":1,"pos":-1,"id":null},"to":true}]}`: "below",
	} {
		d := json.NewDecoder(bytes.NewReader([]byte(text)))
		d.UseNumber()
		var v any
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
		got := strings.Join(all.check(v, all["bisect"], "bisect", ""), "; ")
		if (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

package docs_test

import (
	"reflect"
	"strings"
	"testing"

	"hindcast/model/dialect/mapped"
)

// TestMappingKeys: the page of mappings explains every key that a file may have.
func TestMappingKeys(t *testing.T) {
	page := read(t, "mapping.md")
	var walk func(reflect.Type)
	walk = func(s reflect.Type) {
		for i := range s.NumField() {
			field := s.Field(i)
			if key := field.Tag.Get("key"); key != "" && !strings.Contains(page, "| `"+key+"` |") && !strings.Contains(page, "`["+key+"]`") && !strings.Contains(page, "`[["+key+"]]`") {
				t.Errorf("docs/mapping.md does not explain %s", key)
			}
			inner := field.Type
			if inner.Kind() == reflect.Slice {
				inner = inner.Elem()
			}
			if inner.Kind() == reflect.Struct && inner != reflect.TypeFor[mapped.Value]() && inner != reflect.TypeFor[mapped.Effect]() {
				walk(inner)
			}
		}
	}
	walk(reflect.TypeFor[mapped.Mapping]())
}

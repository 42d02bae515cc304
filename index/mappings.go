package index

import (
	"context"
	"encoding/json"

	"hindcast/model/dialect"
	"hindcast/model/dialect/mapped"
)

// mappingsText is what an index keeps of the mappings with which it was made:
// it answers for no others, and can be asked by itself. Empty where there are
// none.
func mappingsText(list []mapped.Mapping) string {
	if len(list) == 0 {
		return ""
	}
	b, err := json.Marshal(list)
	if err != nil {
		return "" // texts and numbers can always be written
	}
	return string(b)
}

// ownMappings makes known the mappings with which an index was made that is
// opened by itself. Those of another version of the program, which may mean
// something else, are left out: all that is stored still answers.
func (x *Index) ownMappings(ctx context.Context) error {
	meta, err := x.st.Reader().Meta(ctx)
	if err != nil {
		return err
	}
	var list []mapped.Mapping
	if meta["epoch"] != schemaEpoch || meta["mappings"] == "" || json.Unmarshal([]byte(meta["mappings"]), &list) != nil {
		return nil
	}
	if known, err := dialect.With(list); err == nil {
		x.known = known
	}
	return nil
}

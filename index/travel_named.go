package index

import (
	"context"
	"strings"

	"hindcast/model"
)

// FileNamed completes the name of a file. People write src/tax.js where an
// agent wrote /srv/shop/src/tax.js; a name that is the end of several paths, or
// of none, stays as it is.
func (x *Index) FileNamed(ctx context.Context, session, name string) (string, error) {
	key, _, err := x.foldedAll(ctx, session)
	if err != nil {
		return name, err
	}
	cells, err := x.st.Reader().Cells(ctx, key, model.PathFiles, "", 0)
	if err != nil {
		return name, err
	}
	whole, tail := "", "/"+strings.TrimPrefix(name, "./")
	for _, cell := range cells {
		file := model.UnescapePointer(cell[len(model.PathFiles)+1:])
		switch {
		case file == name:
			return name, nil
		case !strings.HasSuffix(file, tail):
		case whole != "":
			return name, nil
		default:
			whole = file
		}
	}
	if whole == "" {
		return name, nil
	}
	return whole, nil
}

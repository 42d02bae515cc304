package index

import (
	"context"
	"strings"

	"hindcast/model"
)

// FileNamed completes the name of a file. People write src/tax.js where an
// agent wrote /srv/shop/src/tax.js; a name that is the end of several paths, or
// of none, stays as it is.
func (x *Index) FileNamed(ctx context.Context, at model.Event, name string) (string, error) {
	if strings.HasPrefix(name, "/") {
		return name, nil
	}
	key, err := x.folded(ctx, at.Session, at.Pos)
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

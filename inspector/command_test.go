package inspector

import (
	"context"
	"errors"
	"strings"

	"hindcast/render"
)

func runStats(_ context.Context, _, line string, _ int) ([]render.Line, error) {
	if strings.HasPrefix(line, "stats") {
		return statsLines(), nil
	}
	return nil, errors.New("cannot do that")
}

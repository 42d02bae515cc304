package index

import (
	"context"
	"errors"

	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/model/replay"
)

var errTodo = errors.New("not there yet")

func (x *Index) restored(ctx context.Context, at model.Event) (replay.Cells, error) {
	return nil, errTodo
}

func (x *Index) DiffRestored(ctx context.Context, at model.Event, path string) (answer.Diff, error) {
	return answer.Diff{}, errTodo
}

func (x *Index) DiffRecorded(ctx context.Context, checkpoint model.Event, path string) (answer.Diff, error) {
	return answer.Diff{}, errTodo
}

func (x *Index) Check(ctx context.Context, session string) (answer.Check, error) {
	return answer.Check{}, errTodo
}

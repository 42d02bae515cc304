package mapping

import (
	"context"
	"fmt"

	"hindcast/index/source"
)

// Watch signals each save of a mapping file, until ctx ends; then the channel
// closes.
func Watch(ctx context.Context, file string) (<-chan struct{}, error) {
	d, err := source.Open(ctx, []string{file}, source.Options{})
	if err != nil {
		return nil, fmt.Errorf("watch the mapping: %w", err)
	}
	context.AfterFunc(ctx, func() { d.Close() })
	return source.Watch(ctx, d)
}

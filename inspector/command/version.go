package command

import (
	"context"

	"hindcast/render"
	"hindcast/render/theme"
)

// Version says what program this is.
type Version struct {
	Version string  `json:"version"`
	Commit  *string `json:"commit"` // null where the build does not tell
	Go      string  `json:"go"`
}

func versionCommand() *Command {
	return &Command{
		Name: "version", Input: InputNone, Short: "say which hindcast this is",
		Run: func(_ context.Context, env *Env, _ Args) (Answer, error) {
			v := env.Version
			return document{value: v, lines: func(int) []render.Line {
				line := "hindcast " + v.Version
				if v.Commit != nil {
					line += " (" + *v.Commit + ")"
				}
				return []render.Line{render.Of(line+", "+v.Go, theme.Plain)}
			}}, nil
		},
	}
}

package command

import (
	"context"

	"hindcast/model"
	"hindcast/model/dialect"
	"hindcast/render"
)

func dialectsCommand() *Command {
	return &Command{
		Name: "dialects", Input: InputNone,
		Short:    "list the formats that are read, and what each can tell",
		Long:     "A dump's dialect is found by its content; --dialect NAME forces one. What no dialect knows opens as generic.",
		Examples: []Example{{"hindcast dialects", "what can be opened"}},
		Run: func(_ context.Context, _ *Env, _ Args) (Answer, error) {
			var infos []model.DialectInfo
			got := formats{Dialects: []format{}}
			for _, d := range dialect.All() {
				infos = append(infos, d.Info())
				got.Dialects = append(got.Dialects, newFormat(d.Info()))
			}
			return document{value: got, lines: func(width int) []render.Line { return render.Dialects(infos, width) }}, nil
		},
	}
}

// formats is the answer of dialects.
type formats struct {
	Dialects []format `json:"dialects"`
}

type format struct {
	Name       string   `json:"name"`
	Title      string   `json:"title"`
	Versions   string   `json:"versions"`
	Packagings []string `json:"packagings"`
	Detects    string   `json:"detects"`
	Context    string   `json:"context"`
	Files      string   `json:"files"`
	Cost       string   `json:"cost"`
	Status     string   `json:"status"`
}

func newFormat(i model.DialectInfo) format {
	packs := i.Packs
	if packs == nil {
		packs = []string{}
	}
	return format{i.Name, i.Title, i.Versions, packs, i.Detects, i.Context, i.Files, i.Cost, i.Status}
}

package command

import (
	"context"
	"strings"

	"hindcast/docs"
	"hindcast/model"
	"hindcast/model/dialect"
	"hindcast/render"
)

// Try is the word behind dialects that tries a mapping.
const Try = "try"

func dialectsCommand() *Command {
	return &Command{
		Name: "dialects", Args: "[NAME | " + Try + " MAPPING DUMP...]", Max: -1, Input: InputNone,
		Short: "list the formats that are read, and what each can tell; try a mapping",
		Long: "With a dialect's name, its page: what is opened, what becomes of it, what cannot be told. A dump's dialect is found by its content; --dialect NAME forces one. What no dialect knows opens as generic. " +
			"A format of your own is described by a mapping file: --mapping FILE makes it known, and all files in the folder hindcast/dialects of $XDG_CONFIG_HOME are.\n" +
			"try shows what a mapping makes of the first records of a dump, and what it leaves: types without a rule, fields that no rule names, places at which nothing stands.",
		Examples: []Example{
			{"hindcast dialects", "what can be opened"},
			{"hindcast dialects codex", "how Codex rollouts are read"},
			{"hindcast dialects try orders.toml orders.jsonl --follow", "write a mapping, and see at each save what it understands"},
		},
		Flags: []Flag{
			{Name: "limit", Kind: FlagInt, Value: "N", Help: "with try: so many events (20; 0: all)"},
			{Name: "follow", Short: "f", Kind: FlagBool, Help: "with try: again at each save of the mapping"},
		},
		Validate: checkDialects,
		Run: func(ctx context.Context, env *Env, a Args) (Answer, error) {
			if a.At(0) == Try {
				return runTry(ctx, env, a)
			}
			return listDialects(env, a.At(0))
		},
	}
}

func checkDialects(a Args) error {
	switch {
	case a.At(0) == Try && len(a.List) < 3:
		return usage("dialects try: an argument is missing", "usage: dialects try MAPPING DUMP...")
	case a.At(0) == Try:
		return nil
	case len(a.List) > 1:
		return usage("dialects: unexpected argument "+a.At(1), "usage: dialects, dialects NAME, or dialects try MAPPING DUMP...")
	case a.Has("limit") || a.Has("follow"):
		return usage("--limit and --follow belong to dialects try", "usage: dialects try MAPPING DUMP...")
	}
	return nil
}

// listDialects lists what is known; with a name, that dialect and its page.
func listDialects(env *Env, name string) (Answer, error) {
	known, err := dialect.With(env.Options.Mappings)
	if err != nil {
		return nil, err
	}
	var infos []model.DialectInfo
	got := formats{Dialects: []format{}}
	for _, d := range known {
		if name == "" || d.Info().Name == name {
			infos = append(infos, d.Info())
			got.Dialects = append(got.Dialects, newFormat(d.Info()))
		}
	}
	if len(infos) == 0 {
		return nil, usage("no dialect "+name, "known: "+strings.Join(known.Names(), " "))
	}
	if name != "" {
		if page, ok := docs.Dialect(name); ok {
			got.Page = &page
			return document{value: got, lines: func(width int) []render.Line { return render.Page(page, width) }}, nil
		}
	}
	return document{value: got, lines: func(width int) []render.Line { return render.Dialects(infos, width) }}, nil
}

// formats is the answer of dialects.
type formats struct {
	Dialects []format `json:"dialects"`
	Page     *string  `json:"page"` // of the one that was named, as Markdown; null for all, and for a mapping of one's own
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

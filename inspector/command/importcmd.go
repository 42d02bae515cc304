package command

import (
	"context"

	"hindcast/index"
	"hindcast/render"
)

func importCommand() *Command {
	return &Command{
		Name: "import", Args: "DUMP...", Min: 1, Max: -1, Input: InputDumps,
		Short: "build the index and account for every byte",
		Long: `Every other verb imports by itself; this one shows what was found and where each byte of the dump went: events, structure, evidence, quarantine. A dump that grew is read on from where it stopped.

--session counts one session only, but always accounts for the bytes of the whole dump. Exit code 3 says that something was quarantined; the rest is there all the same.`,
		Examples: []Example{
			{"hindcast import run.jsonl", "what is in it, and does it add up"},
			{"hindcast import --bundle -o run.hindcast conversation/", "one file to keep or to send"},
		},
		Flags: []Flag{
			{Name: "output", Short: "o", Kind: FlagText, Value: "FILE", Help: "keep the index in this file", Complete: CompleteFile},
			{Name: "bundle", Kind: FlagBool, Help: "pack the source's bytes into the index, so that it stands alone"},
			{Name: "rebuild", Kind: FlagBool, Help: "drop an index that exists and start anew"},
		},
		Configure: func(a Args, o *index.Options) {
			o.IndexPath, o.Bundle, o.Rebuild = a.Text("output"), a.Bool("bundle"), a.Bool("rebuild")
		},
		Run: runImport,
	}
}

func runImport(ctx context.Context, env *Env, _ Args) (Answer, error) {
	session, err := env.scope(ctx)
	if err != nil {
		return nil, err
	}
	got, err := env.Index.Import(ctx, session)
	if err != nil {
		return nil, err
	}
	d := document{value: got, lines: func(width int) []render.Line { return render.Import(got, width) }}
	if len(got.Accounting.Quarantined) > 0 {
		d.code = 3
	}
	return d, nil
}

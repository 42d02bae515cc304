package command

import (
	"bytes"
	"context"
	"io"
	"strconv"
	"strings"

	"hindcast/model"
	"hindcast/model/query"
)

func dumpCommand() *Command {
	return &Command{
		Name: "dump", Short: "print the records themselves, in replay order",
		Long: `The source's own objects, one a line, or as one array. Records are unchanged but for line breaks between their tokens, where one a line is asked for, and for characters that could steer a terminal, which are written as JSON escapes.

--raw prints the whole source, byte for byte (of several files, the one that --file names); with --session, --from or --to, the exact bytes of those records, a line feed behind each.`,
		Examples: []Example{
			{"hindcast dump --from 80 --to 95 run.jsonl", "a part of the run, as the source wrote it"},
			{"hindcast dump --format json conversation.zip | jq length", "an archive as one array"},
		},
		Flags: append([]Flag{
			{Name: "format", Kind: FlagText, Value: "FORMAT", Help: "jsonl (the default) or json", Complete: CompleteWords, Words: []string{"json", "jsonl"}},
			{Name: "raw", Kind: FlagBool, Help: "exact bytes"},
			{Name: "file", Kind: FlagText, Value: "NAME", Help: "with --raw: which of the dump's files"},
			{Name: "force", Kind: FlagBool, Help: "write exact bytes to a terminal all the same"},
		}, flagsRange()...),
		Validate: func(a Args) error {
			if a.Has("file") && !a.Bool("raw") {
				return usage("--file goes with --raw", "add --raw")
			}
			if a.Has("format") && a.Bool("raw") {
				return usage("--raw is the source's own form, and --format another", "leave one out")
			}
			return nil
		},
		Run: runDump,
	}
}

func runDump(ctx context.Context, env *Env, a Args) (Answer, error) {
	raw := a.Bool("raw")
	if raw {
		if err := env.exact(a); err != nil {
			return nil, err
		}
	}
	session, err := env.scope(ctx)
	if err != nil {
		return nil, err
	}
	session, span, err := env.between(ctx, a, session)
	if err != nil {
		return nil, err
	}
	if raw && session == "" {
		return dumpSource(ctx, env, a)
	}
	return stream(func(ctx context.Context, o *Output) error {
		d := &dumper{w: o.W, raw: raw}
		d.array = !raw && (a.Text("format") == "json" || o.Format == JSON && !a.Has("format"))
		return d.run(ctx, env, session, span)
	}), nil
}

// dumpSource prints a source whole. Which one must be clear before anything is
// written.
func dumpSource(ctx context.Context, env *Env, a Args) (Answer, error) {
	names, err := env.Index.Sources(ctx)
	if err != nil {
		return nil, err
	}
	name := a.Text("file")
	if name == "" && len(names) != 1 {
		return nil, usage("the dump holds "+strconv.Itoa(len(names))+" files, and --raw prints one", "name it with --file: "+some(names, 5))
	}
	if name != "" && !contains(names, name) {
		return nil, usage("the dump holds no file "+strconv.Quote(name), "it holds "+some(names, 5))
	}
	return stream(func(ctx context.Context, o *Output) error { return env.Index.CopySource(ctx, name, o.W) }), nil
}

// some lists the first few of many names.
func some(names []string, limit int) string {
	if len(names) <= limit {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:limit], ", ") + " and " + strconv.Itoa(len(names)-limit) + " more"
}

// dumper writes records. Unless they are asked for exactly, what could steer a
// terminal is escaped on pipes as well, which may end at one. Events that are moments of one record give it once.
type dumper struct {
	w     io.Writer
	array bool // one JSON array
	raw   bool // exact bytes
	last  model.Span
	count int
}

func (d *dumper) run(ctx context.Context, env *Env, session string, where query.Expr) error {
	if d.array {
		if _, err := io.WriteString(d.w, "["); err != nil {
			return err
		}
	}
	var failed error
	err := env.Index.Query(ctx, session, where, func(e model.Event) bool {
		if e.Origin == model.OriginInherited || d.within(e.Span) {
			return true
		}
		var raw []byte
		if raw, failed = env.Index.Raw(ctx, e); failed == nil {
			failed = d.add(raw)
		}
		d.last = e.Span
		return failed == nil
	})
	if failed != nil {
		return failed
	}
	if err != nil || !d.array {
		return err
	}
	tail := "\n]\n"
	if d.count == 0 {
		tail = "]\n"
	}
	_, err = io.WriteString(d.w, tail)
	return err
}

// within tells whether a span lies in the record that was written last.
func (d *dumper) within(s model.Span) bool {
	return d.count > 0 && s.Source == d.last.Source && s.Offset >= d.last.Offset && s.End() <= d.last.End()
}

func (d *dumper) add(raw []byte) error {
	d.count++
	var out []byte
	if d.array {
		if d.count > 1 {
			out = append(out, ',')
		}
		out = append(out, '\n')
	}
	if !d.raw {
		raw = escape(onLine(raw))
	}
	out = append(out, raw...)
	if !d.array {
		out = append(out, '\n')
	}
	_, err := d.w.Write(out)
	return err
}

// onLine drops the white space between a value's tokens if it holds line
// breaks; it looks at no structure, so that no depth is too deep.
func onLine(raw []byte) []byte {
	if !bytes.ContainsAny(raw, "\n\r") {
		return raw
	}
	out := make([]byte, 0, len(raw))
	inString, escaped := false, false
	for _, c := range raw {
		switch {
		case inString && escaped:
			escaped = false
		case inString && c == '\\':
			escaped = true
		case c == '"':
			inString = !inString
		case !inString && (c == ' ' || c == '\t' || c == '\n' || c == '\r'):
			continue
		}
		out = append(out, c)
	}
	return out
}

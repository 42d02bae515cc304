package command

import (
	"context"
	"encoding/json"
	"io"

	"hindcast/inspector/config"
	"hindcast/render"
	"hindcast/render/theme"
)

func configCommand() *Command {
	return &Command{
		Name: "config", Input: InputNone,
		Short: "print the effective configuration of the inspector",
		Long: "As a file that can be saved and changed: each setting with what it means, what it may be, and where its value came from (flags come before the environment, the environment before the file). " +
			"What is wrong in the file is told with its line, and holds nothing; then the exit code is 1. The file is config.toml in the folder hindcast of $XDG_CONFIG_HOME, else of ~/.config. The verbs do not read it.",
		Examples: []Example{
			{"hindcast config > config.toml", "all settings, to change some"},
			{"hindcast config --path", "where the file is looked for"},
		},
		Flags: []Flag{{Name: "path", Kind: FlagBool, Help: "print where the file is looked for"}},
		Run:   runConfig,
	}
}

func runConfig(_ context.Context, env *Env, a Args) (Answer, error) {
	r := env.Config()
	if r.Path == "" {
		env.note("no place for a configuration file: neither XDG_CONFIG_HOME nor HOME is set")
	}
	got := newSettings(r)
	if a.Bool("path") {
		return document{value: got, lines: func(int) []render.Line { return []render.Line{render.Of(r.Path, theme.Plain)} }}, nil
	}
	code := 0
	for _, p := range r.Problems {
		env.note("%s", p.Error())
		code = 1
	}
	return configured{document{value: got, code: code}, r}, nil
}

// configured is the answer of config: for people it is the file.
type configured struct {
	document
	result config.Result
}

// Write writes the file, or its JSON.
func (c configured) Write(ctx context.Context, o *Output) error {
	if o.Format != Human {
		return c.document.Write(ctx, o)
	}
	_, err := io.WriteString(o.W, c.result.TOML())
	return err
}

// settings are the machine form of a configuration.
type settings struct {
	Path     string    `json:"path"`
	Exists   bool      `json:"exists"`
	Settings []setting `json:"settings"`
	Problems []problem `json:"problems"`
}

type setting struct {
	Key     string          `json:"key"`
	Value   json.RawMessage `json:"value"`
	Default json.RawMessage `json:"default"`
	Source  string          `json:"source"`
	By      *string         `json:"by"`
	Line    *int            `json:"line"`
	Allowed []string        `json:"allowed"`
	About   string          `json:"about"`
}

type problem struct {
	File    string  `json:"file"`
	Line    *int    `json:"line"`
	Key     *string `json:"key"`
	Message string  `json:"message"`
}

func newSettings(r config.Result) settings {
	out := settings{Path: r.Path, Exists: r.Exists, Settings: []setting{}, Problems: []problem{}}
	for _, v := range r.Values {
		s := setting{Key: v.Key, Value: rawJSON(v.Value), Default: rawJSON(v.Default), Source: v.Source, Allowed: v.Allowed, About: v.About}
		if s.Allowed == nil {
			s.Allowed = []string{}
		}
		s.By, s.Line = orNil(v.By), orNil(v.Line)
		out.Settings = append(out.Settings, s)
	}
	for _, p := range r.Problems {
		out.Problems = append(out.Problems, problem{p.File, orNil(p.Line), orNil(p.Key), p.Message})
	}
	return out
}

// orNil is a pointer to a value that is there, else nil.
func orNil[T comparable](v T) *T {
	if none := *new(T); v == none {
		return nil
	}
	return &v
}

func rawJSON(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // a setting is a text, a switch or a list of texts
	}
	return b
}

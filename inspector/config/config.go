// Package config is what a user has set: the inspector's configuration file,
// what the environment and flags say over it, and where each value came from. It
// tells what is wrong in the file with its line, and goes on with the default.
// It knows neither keys nor screens: what a key can be it asks its Keyboard.
package config

import (
	"fmt"
	"slices"
	"strings"

	"hindcast/model"
)

// Config is what holds, all things taken together.
type Config struct {
	Theme     string   // auto, or a theme's name
	Glyphs    string   // auto, unicode, ascii
	Mouse     bool     // clicks and the wheel are hindcast's
	Editor    string   // what opens a file; empty: nothing does
	Remember  bool     // a dump opens as it was left
	Columns   []string // of the timeline, besides the title
	Clock     string   // start, row, wall
	Records   string   // folded, all
	Follow    bool     // keep to the newest row
	HideKinds []string // of events that folded rows leave out
	HideTypes []string // patterns of types, likewise
	Preset    string   // hindcast, less
	Keys      map[string][]string
}

// Columns are those that the timeline can show.
var Columns = []string{"seq", "time", "who", "out", "took"}

// Clocks are what the time column can show: time since the start, since the row
// before, and the wall clock.
var Clocks = []string{"start", "row", "wall"}

// setting is a row of the table: a key of the file, what it means, what it may
// be. Keys under "keys" that are commands stand in no row: the Keyboard has them.
type setting struct {
	key, about string
	allowed    []string // the words that it takes; nil: any
	at         func(*Config) any
	env        func(getenv func(string) string) (name string, value any)
}

// settings is the table, in the order of the file.
func settings() []setting {
	return []setting{
		{"theme", "Colours. auto follows the terminal: its background where it tells, its colours, NO_COLOR.",
			[]string{"auto", "dark", "light", "high-contrast", "16", "none"}, func(c *Config) any { return &c.Theme }, themeEnv},
		{"glyphs", "Signs and lines. auto follows the locale.",
			[]string{"auto", "unicode", "ascii"}, func(c *Config) any { return &c.Glyphs }, nil},
		{"mouse", "Clicks, drags and the wheel are hindcast's; F2 and --no-mouse leave them to the terminal.", nil, func(c *Config) any { return &c.Mouse }, nil},
		{"editor", "What opens a file (gF), with its arguments. $VISUAL and $EDITOR come first.", nil, func(c *Config) any { return &c.Editor }, editorEnv},
		{"remember", "A dump opens as it was left: event, filter, pins, panes.", nil, func(c *Config) any { return &c.Remember }, nil},
		{"timeline.columns", "Columns beside the title, each or none of them.", Columns, func(c *Config) any { return &c.Columns }, nil},
		{"timeline.clock", "What the time column shows at first: time since the start, since the row before, or the wall clock.",
			Clocks, func(c *Config) any { return &c.Clock }, nil},
		{"timeline.records", "Rows at first: calls and results folded and noise hidden, or every record.",
			[]string{"folded", "all"}, func(c *Config) any { return &c.Records }, nil},
		{"timeline.follow", "Keep to the newest row from the beginning.", nil, func(c *Config) any { return &c.Follow }, nil},
		{"timeline.hide_kinds", "Kinds of events that folded rows leave out, besides what a format calls noise.",
			kinds(), func(c *Config) any { return &c.HideKinds }, nil},
		{"timeline.hide_types", "Types of events that folded rows leave out, as the format names them; * stands for anything.",
			nil, func(c *Config) any { return &c.HideTypes }, nil},
		{"keys.preset", "Where the keys begin: hindcast's own, or with ? searching backwards and help on F1 and h, as in less.",
			[]string{"hindcast", "less"}, func(c *Config) any { return &c.Preset }, nil},
	}
}

// Default is the configuration without a file.
func Default() Config {
	return Config{
		Theme: "auto", Glyphs: "auto", Mouse: true, Remember: true, Columns: slices.Clone(Columns), Clock: "start", Records: "folded",
		HideKinds: []string{}, HideTypes: []string{}, Preset: "hindcast", Keys: map[string][]string{},
	}
}

func kinds() []string {
	var out []string
	for _, k := range model.Kinds() {
		out = append(out, k.String())
	}
	return out
}

func themeEnv(getenv func(string) string) (string, any) {
	if getenv("NO_COLOR") != "" {
		return "NO_COLOR", "none"
	}
	if v := getenv("HINDCAST_THEME"); v != "" {
		return "HINDCAST_THEME", v
	}
	return "", nil
}

func editorEnv(getenv func(string) string) (string, any) {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if v := getenv(name); v != "" {
			return name, v
		}
	}
	return "", nil
}

// set gives a setting what a file or the environment says; the error says what
// is allowed.
func (s setting) set(c *Config, v any) error {
	switch at := s.at(c).(type) {
	case *bool:
		b, ok := v.(bool)
		if !ok {
			return fmt.Errorf("%s is neither true nor false", show(v))
		}
		*at = b
	case *string:
		text, ok := v.(string)
		if !ok || s.allowed != nil && !slices.Contains(s.allowed, text) {
			return fmt.Errorf("%s cannot be: %s", show(v), s.takes())
		}
		*at = text
	case *[]string:
		list, err := texts(v)
		if err != nil {
			return err
		}
		for _, one := range list {
			if s.allowed != nil && !slices.Contains(s.allowed, one) {
				return fmt.Errorf("%s is none of them: %s", show(one), s.takes())
			}
		}
		*at = list
	}
	return nil
}

// takes says what a setting may be.
func (s setting) takes() string {
	if s.allowed == nil {
		return `write a text, such as "nano"`
	}
	return "allowed: " + strings.Join(s.allowed, ", ")
}

// texts reads a list of texts; one text is a list of one.
func texts(v any) ([]string, error) {
	if one, ok := v.(string); ok {
		return []string{one}, nil
	}
	list, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf(`it is %s: write a list, such as ["a", "b"]`, show(v))
	}
	out := []string{}
	for _, one := range list {
		text, ok := one.(string)
		if !ok {
			return nil, fmt.Errorf(`%s stands in the list: write texts, such as ["a", "b"]`, show(one))
		}
		out = append(out, text)
	}
	return out, nil
}

// show is a value as messages name it.
func show(v any) string {
	switch v := v.(type) {
	case string:
		return quote(v)
	case map[string]any:
		return "a table"
	case []any:
		return "a list"
	}
	return fmt.Sprint(v)
}

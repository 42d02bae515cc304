package config

import (
	"fmt"
	"strconv"
	"strings"

	"hindcast/model"
)

// TOML writes a configuration as a file that says the same: each setting with
// what it means, what it may be, and where its value came from. Keys that are
// as they would be stand behind a #.
func (r Result) TOML() string {
	var b strings.Builder
	b.WriteString("# The configuration of hindcast's inspector")
	if r.Path != "" {
		b.WriteString(", kept in " + quote(r.Path))
	}
	b.WriteString(".\n# Flags come before the environment, the environment before this file.\n")
	table := ""
	for _, v := range r.Values {
		name := v.Key
		if in, rest, ok := strings.Cut(v.Key, "."); ok {
			if name = rest; in != table {
				table = in
				b.WriteString("\n[" + table + "]\n")
			}
		}
		isKey := strings.HasPrefix(v.Key, "keys.") && v.Allowed == nil
		line := name + " = " + literal(v.Value)
		switch {
		case isKey && v.Source == "default":
			b.WriteString("# " + line + "  # " + v.About + "\n")
		case isKey:
			b.WriteString(line + "  # " + v.About + "; default " + literal(v.Default) + "; " + v.from() + "\n")
		default:
			b.WriteString("\n# " + v.About + "\n# " + v.may() + "\n" + line + v.note() + "\n")
		}
	}
	return b.String()
}

// may says what a setting can be, and what it is by itself.
func (v Value) may() string {
	switch v.Value.(type) {
	case bool:
		return "true | false; default " + literal(v.Default)
	case []string:
		if v.Allowed != nil {
			return "any of " + strings.Join(v.Allowed, " ") + "; default " + literal(v.Default)
		}
		return "a list of texts; default " + literal(v.Default)
	}
	if v.Allowed != nil {
		return strings.Join(v.Allowed, " | ") + "; default " + literal(v.Default)
	}
	return "a text; default " + literal(v.Default)
}

// note says behind a value where it came from, unless it is the default.
func (v Value) note() string {
	if v.Source == "default" {
		return ""
	}
	return "  # " + v.from()
}

func (v Value) from() string {
	switch v.Source {
	case "file":
		return "set in line " + strconv.Itoa(v.Line)
	case "environment":
		return "set by $" + v.By
	case "flag":
		return "set by " + v.By
	}
	return "default"
}

// literal is a value in TOML.
func literal(v any) string {
	switch v := v.(type) {
	case bool:
		return strconv.FormatBool(v)
	case string:
		return quote(v)
	case []string:
		parts := make([]string, len(v))
		for i, s := range v {
			parts[i] = quote(s)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return ""
}

// quote is a text in TOML: as it stands between single quotes where that spares
// escapes.
func quote(s string) string {
	if strings.ContainsAny(s, `\"`) && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == '\'' || r == 0x7f || model.Deceptive(r) }) {
		return "'" + s + "'"
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r < ' ' || r == 0x7f || model.Deceptive(r):
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String() + `"`
}

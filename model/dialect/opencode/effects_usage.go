package opencode

import (
	"strconv"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// version is that of the program which made the session.
func (f *effector) version() string { return jsonscan.Str([]byte(f.state.Session["version"])) }

// disjoint takes apart what versions before 1.0 counted twice, which no total
// shows: thoughts within the output, up to 0.5 what came out of a cache within
// the input, but of those providers that count it apart themselves.
func disjoint(u *model.Usage, version, provider string) {
	major, minor, ok := versionOf(version)
	if !ok || major > 0 {
		return
	}
	if u.Output >= u.Reasoning {
		u.Output -= u.Reasoning
	}
	apart := strings.Contains(provider, "anthropic") || strings.Contains(provider, "bedrock")
	if cached := u.CacheRead + u.CacheWrite; minor <= 5 && !apart && u.Input >= cached {
		u.Input -= cached
	}
}

// isExact reports whether a version of the program records the context for sure.
func isExact(version string) bool {
	major, minor, ok := versionOf(version)
	return ok && (major > 1 || major == 1 && minor >= 14)
}

// versionOf reads the first two numbers of a version.
func versionOf(version string) (major, minor int, ok bool) {
	first, rest, _ := strings.Cut(version, ".")
	second, _, _ := strings.Cut(rest, ".")
	major, err := strconv.Atoi(first)
	if err != nil {
		return 0, 0, false
	}
	minor, err = strconv.Atoi(second)
	return major, minor, err == nil
}

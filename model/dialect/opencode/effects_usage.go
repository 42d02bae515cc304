package opencode

import (
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// version is that of the program which made the session.
func (f *effector) version() string { return jsonscan.Str([]byte(f.state.Session["version"])) }

// disjoint takes apart what older versions counted twice: thoughts within the
// output, up to 0.5 what came out of a cache within the input, other than those
// providers do that count it apart. Where a total is told it shows which.
func disjoint(u *model.Usage, tokens []byte, version, provider string) {
	total, hasTotal := jsonscan.Int(jsonscan.Get(tokens, "total"))
	twice := !isExact(version) && version != ""
	if hasTotal {
		twice = total == u.Input+u.Output+u.CacheRead+u.CacheWrite
	}
	if twice && u.Output >= u.Reasoning {
		u.Output -= u.Reasoning
	}
	if cached := u.CacheRead + u.CacheWrite; countsCached(version, provider) && u.Input >= cached {
		u.Input -= cached
	}
}

func countsCached(version, provider string) bool {
	minor, ok := strings.CutPrefix(version, "0.")
	minor, _, _ = strings.Cut(minor, ".")
	return ok && len(minor) == 1 && minor <= "5" && !strings.Contains(provider, "anthropic") && !strings.Contains(provider, "bedrock")
}

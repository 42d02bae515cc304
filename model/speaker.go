package model

import "strings"

// SpokenByModel reports whether an event's Source is a word that programs have
// for the model itself.
func SpokenByModel(source string) bool {
	switch strings.ToLower(source) {
	case "agent", "assistant", "model", "ai", "gemini":
		return true
	}
	return false
}

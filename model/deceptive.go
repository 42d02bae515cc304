package model

// Deceptive reports whether a code point, printed raw, could steer a terminal
// or hide from its reader: C0 and C1 controls, DEL, line and paragraph
// separators, bidi controls, zero-width and invisible format characters,
// fillers, tags and interlinear marks. Newline and tab are among them; callers
// that lay out lines take those out first. Sources: Unicode 15 categories Cc
// and Cf, CVE-2021-42574 (bidi).
func Deceptive(r rune) bool {
	switch {
	case r < 0x20 || r >= 0x7f && r < 0xa0:
		return true
	case r < 0xad:
		return false
	case r == 0xad, r == 0x34f, r == 0x61c, r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5:
		return true
	case r >= 0x180b && r <= 0x180f:
		return true
	case r >= 0x200b && r <= 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2060 && r <= 0x206f:
		return true
	case r == 0x3164, r == 0xfeff, r == 0xffa0, r >= 0xfff9 && r <= 0xfffb:
		return true
	case r >= 0x1d173 && r <= 0x1d17a, r >= 0xe0000 && r <= 0xe0fff:
		return true
	}
	return false
}

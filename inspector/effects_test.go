package inspector

import "testing"

// TestEffectsFold: T makes a tree of the list and back, Space, h, l, H and L fold.
func TestEffectsFold(t *testing.T) {
	d := open(t, 120, 40)
	d.press("g").at("0").press("C").see("effects of 0").see("depth").gone("▾").press("T").see("▾").gone("▸")
	d.press("H").see("▸").press("L").gone("▸").press(" ").see("▸").press("l").gone("▸").press("h").see("▸").press(" ").gone("▸")
	d.press("T").gone("▾").press("C").at("2").gone("effects of")
}

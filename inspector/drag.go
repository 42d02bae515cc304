package inspector

// grip is the line between panes that the mouse holds.
type grip uint8

const (
	noGrip  grip = iota
	rowGrip      // between the upper part and what stands below it
	columnGrip
)

// gripAt is the line that can be moved at a cell: the rule of the lower pane
// beside its names, and the column.
func (f *frame) gripAt(x, y int) grip {
	switch c := f.column; {
	case f.single || f.small || len(f.rules) < 2:
		return noGrip
	case c.h > 0 && x == c.x && y >= c.y && y < c.y+c.h-1:
		return columnGrip
	}
	if r := f.rules[len(f.rules)-1]; y == r.y && f.tabAt(x, y) < 0 {
		return rowGrip
	}
	return noGrip
}

// drag moves the line that is held to where the pointer is, as far as panes can
// give way.
func (u *ui) drag(x, y int) {
	f, h := &u.frame, u.hand()
	b := f.body
	switch u.grip {
	case rowGrip:
		least := 4 // as layout has it
		if f.wide {
			least = 12
		}
		h.Rows += between(y, b.y+least, b.y+b.h-4) - f.rules[len(f.rules)-1].y
	case columnGrip:
		h.Columns += between(x, b.x+40, b.x+b.w-30) - f.column.x
	}
	u.arrange(f.size.x, f.size.y, f.size.w, f.size.h)
}

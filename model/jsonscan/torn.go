package jsonscan

// Standing tells how much of a value that the input ends within can be read:
// up to behind its last element of an array that is whole, and an object or an
// array itself. What the readers of this package find in so much is whole, but
// for the containers around that element. 0: there is none.
func Standing(b []byte) (n int) {
	var open []byte
	for i := spaceEnd(b, 0); i < len(b); {
		switch c := b[i]; structure[c] {
		case quote:
			i = skipString(b, i)
			continue
		case opens:
			open = append(open, c)
		case closes:
			if len(open) == 0 {
				return n
			}
			if open = open[:len(open)-1]; len(open) > 0 && open[len(open)-1] == '[' {
				n = i + 1
			}
		}
		i++
	}
	return n
}

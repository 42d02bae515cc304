package jsonscan

// Nested walks the members of an object, or the elements of an array, and in the
// same pass those of the containers within that into picks: f is given what lies
// in one of them before the whole. An envelope and its large payload are so read
// at once. depth counts containers from v's own, 0; an element has no key; open
// is { or [. Duplicates are all given. The walk ends when f returns false. v must
// be valid; of a scalar there is nothing to walk.
func Nested(v []byte, into func(depth int, key string, open byte) bool, f func(depth int, key string, value []byte) bool) {
	i := spaceEnd(v, 0)
	if i < len(v) && structure[v[i]] == opens {
		w := nestedWalk{text: v, into: into, f: f}
		w.container(i, 0)
	}
}

type nestedWalk struct {
	text []byte
	into func(depth int, key string, open byte) bool
	f    func(depth int, key string, value []byte) bool
	over bool
}

// container walks the container at i and returns the index after it.
func (w *nestedWalk) container(i, depth int) int {
	b, isObject, key := w.text, w.text[i] == '{', ""
	for i = spaceEnd(b, i+1); i < len(b) && structure[b[i]] != closes; i = afterComma(b, i) {
		if isObject {
			if b[i] != '"' {
				break
			}
			end := skipString(b, i)
			key = keyText(b[i:end:end])
			if i = spaceEnd(b, end); i < len(b) && b[i] == ':' {
				i = spaceEnd(b, i+1)
			}
		}
		start := i
		if i < len(b) && structure[b[i]] == opens && w.into(depth, key, b[i]) {
			i = w.container(i, depth+1)
		} else {
			i = skipValue(b, i)
		}
		if i == start || w.over || !w.f(depth, key, b[start:i:i]) {
			w.over = true
			return i
		}
	}
	return min(i+1, len(b))
}

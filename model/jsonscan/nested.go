package jsonscan

// FieldsThrough walks the members of an object and, in the same pass, those of
// its members that are objects under the key within, which are given to inner
// before the whole is given to outer. An envelope and its large payload are so
// read at once. obj must be valid.
func FieldsThrough(obj []byte, within string, outer, inner func(key string, value []byte)) {
	for i := enter(obj, '{'); i >= 0 && i < len(obj) && obj[i] == '"'; {
		end := skipString(obj, i)
		key := obj[i:end:end]
		i = spaceEnd(obj, end)
		if i < len(obj) && obj[i] == ':' {
			i = spaceEnd(obj, i+1)
		}
		start := i
		if i < len(obj) && obj[i] == '{' && isKey(key, within) {
			i = membersEnd(obj, i, inner)
		} else {
			i = skipValue(obj, i)
		}
		if i == start {
			return
		}
		outer(keyText(key), obj[start:i:i])
		i = afterComma(obj, i)
	}
}

// membersEnd gives the members of the object at b[i] to f, and returns the index
// after that object.
func membersEnd(b []byte, i int, f func(key string, value []byte)) int {
	start := i
	for i = spaceEnd(b, i+1); ; {
		key, value, next := member(b, i)
		if key == nil {
			break
		}
		f(keyText(key), value)
		i = next
	}
	if i < len(b) && b[i] == '}' {
		return i + 1
	}
	return skipValue(b, start)
}

package jsonscan

import "hindcast/model"

// Time reads a time as text or as a number of an epoch clock; what is neither
// is not Known.
func Time(v []byte) model.Time {
	switch Kind(v) {
	case '"':
		return model.ParseTime(Str(v))
	case '0':
		return model.ParseTimeNumber(Scalar(v))
	}
	return model.Time{}
}

// Truthy tells whether a value says something: programs write null, false, "",
// 0 and empty containers where there is nothing.
func Truthy(v []byte) bool {
	switch Kind(v) {
	case 't':
		return true
	case '"':
		return len(v) > 2
	case '0':
		n, ok := Int(v)
		return !ok || n != 0
	}
	some := false
	Fields(v, func(string, []byte) bool { some = true; return false })
	Elements(v, func([]byte) bool { some = true; return false })
	return some
}

// Unpacked is the JSON that stands in a string, as programs write it into a
// column or a message; any other value is itself. It is nil where the string
// holds no JSON.
func Unpacked(v []byte) []byte {
	if Kind(v) != '"' {
		return v
	}
	text := []byte(Str(v))
	start, end, err := Value(text)
	if err != nil {
		return nil
	}
	return text[start:end]
}

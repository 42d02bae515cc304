package openhands

import "hindcast/model"

// lastKeyed is the highest pos that a key can hold.
const lastKeyed = 9_999_999_999

// keyBetween gives a summary that the event at pos inserts its key: behind a
// and before b, which are neighbours in view (empty: the start, the end).
//
// Records in view have their event's key, ten digits. A summary's key is its
// left neighbour's, a dot, and the digits of lastKeyed-pos. It sorts right
// behind the neighbour, since a dot sorts before a digit; and a later summary
// at the same place sorts before an earlier one, since its digits are lower.
// At the end it takes its event's own key, which is behind all others. No two
// events give the same key.
func keyBetween(a, b string, pos int64) string {
	if b == "" {
		return model.MessageKey(pos)
	}
	return a + "." + model.MessageKey(max(lastKeyed-pos, 0))
}

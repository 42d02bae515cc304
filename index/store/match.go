package store

import (
	"database/sql/driver"
	"sync"

	"modernc.org/sqlite"

	"hindcast/model"
	"hindcast/model/query"
)

// matchFunction is the one function that SQL calls back into Go:
// hindcast_match(value, pattern), where pattern is the term's operation, "f"
// or "e" for folded or exact case, and its text. It never stands in the
// schema, so the file can be read without it.
const matchFunction = "hindcast_match"

// registerFunctions makes the function known to connections opened later. The
// driver keeps it for the whole process, hence once.
var registerFunctions = sync.OnceValue(func() error {
	return sqlite.RegisterDeterministicScalarFunction(matchFunction, 2, matchSQL)
})

func matchSQL(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
	pattern := unpackText(args[1])
	if len(pattern) < 2 {
		return int64(0), nil
	}
	t := query.Term{Field: query.FieldTitle, Op: query.Op(pattern[0] - '0'), Fold: pattern[1] == 'f', Text: pattern[2:]}
	if query.Eval(t, query.Subject{Event: &model.Event{Title: unpackText(args[0])}}) {
		return int64(1), nil
	}
	return int64(0), nil
}

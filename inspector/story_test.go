package inspector

import (
	"fmt"

	"hindcast/model"
)

// story is a small run: a rule is read, a compaction drops it, the code is
// changed against it, the test fails, the agent mends the wrong thing.
func story() *fake {
	f := newFake()
	f.session = []model.Session{
		{ID: "b58db045-77aa", Dialect: "eventlog", Version: "1.4", Title: "Add a VAT rate for books", Outcome: "finished"},
		{ID: "sub-1f", Dialect: "eventlog", Parent: "b58db045-77aa", Title: "look for rates", Outcome: "finished"},
	}
	s := "b58db045-77aa"
	say := func(source, title string) model.Ref {
		return ref(f.add(s, model.Event{Type: "MessageEvent", Kind: model.KindMessage, Source: source, Title: title}))
	}
	call := func(by model.Ref, id, tool, title, result string, failed bool) model.Ref {
		f.add(s, model.Event{Type: "ActionEvent", Kind: model.KindAction, Source: "agent", Tool: tool, Call: id, Title: title,
			Links: []model.Link{{Reason: model.ReasonSource, To: by}}})
		f.add(s, model.Event{Type: "TokenUsage", Kind: model.KindState, Source: "environment", Title: "1,204 tokens", Noise: true})
		o := model.OutcomeOK
		if failed {
			o = model.OutcomeFailed
		}
		return ref(f.add(s, model.Event{Type: "ObservationEvent", Kind: model.KindObservation, Source: "environment", Tool: tool, Call: id,
			Title: result, Outcome: o}))
	}
	user := say("user", "Add a VAT rate for books. Follow docs/rules.md and keep the tests green.")
	say("agent", "Reading the rules first.")
	rules := call(user, "c1", "read", "docs/rules.md", "Books are taxed at 9%. Never change a test to fit the code.", false)
	say("agent", "Books are taxed at 9%; src/format.js stays as it is.")
	call(rules, "c2", "read", "src/tax.js", "export const rates = { food: 0.07 }", false)
	call(rules, "c3", "edit", "src/tax.js: book rate 0.09", "1 line added", false)
	for i := range 6 {
		call(rules, fmt.Sprintf("l%d", i), "bash", fmt.Sprintf("for i in $(seq 1 400); do echo ledger %d-$i; done", i), "400 lines", false)
	}
	k := ref(f.add(s, model.Event{Type: "CondensationEvent", Kind: model.KindCheckpoint, Source: "environment",
		Title: "condensation 95.0k > 4.5k tokens, 11 events forgotten"}))
	say("agent", "Goal: add a book VAT rate. Done: read docs/rules.md, changed src/tax.js.")
	write := call(k, "c4", "write", "test/book.test.js", "7 lines written", false)
	call(write, "c5", "bash", "node --test test/book.test.js", "exit 1: 0.09 !== 0.07 at test/book.test.js:4:34", true)
	say("agent", "The test fails; I change the constant.")
	edit := call(write, "c6", "edit", "src/tax.js: book rate 0.07", "1 line changed", false)
	call(edit, "c7", "bash", "node --test", "ok 12 tests", false)
	f.add(s, model.Event{Type: "AgentErrorEvent", Kind: model.KindError, Source: "agent", Outcome: model.OutcomeFailed,
		Title: "provider: 529 overloaded", Links: []model.Link{{Reason: model.ReasonData, Inferred: true, To: edit}}})
	say("agent", "Book rate done (7%).")
	say("user", "Format prices with a decimal comma.")
	f.add(s, model.Event{Type: "ActionEvent", Kind: model.KindAction, Source: "agent", Tool: "read", Call: "open", Title: "src/format.js"})
	f.says(s)
	f.write(17, "/files/src~1tax.js", file("export const rates = {\n  food: 0.07,\n  book: 0.09,\n}\n", "derived", 16, 17))
	f.write(42, "/files/src~1tax.js", file("export const rates = {\n  food: 0.07,\n  book: 0.07,\n}\n", "derived", 41, 42))
	f.add("sub-1f", model.Event{Type: "MessageEvent", Kind: model.KindMessage, Source: "user", Title: "Look for rates."})
	f.add("sub-1f", model.Event{Type: "MessageEvent", Kind: model.KindMessage, Source: "agent", Title: "Found none."})
	return f
}

func ref(e *model.Event) model.Ref {
	return model.Ref{Session: e.Session, Seq: e.Seq, Pos: e.Pos, ID: e.ID}
}

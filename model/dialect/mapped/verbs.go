package mapped

// The effects that a rule may have, and what each is given.
const (
	doMessage    = "message"
	doCall       = "call"
	doReturn     = "return"
	doWrite      = "write"
	doEdit       = "edit"
	doDelete     = "delete"
	doMove       = "move"
	doRead       = "read"
	doRun        = "run"
	doTasks      = "tasks"
	doTask       = "task"
	doStatus     = "status"
	doUsage      = "usage"
	doFail       = "fail"
	doCheckpoint = "checkpoint"
	doSet        = "set"
	doUnset      = "unset"
)

// Verb is an effect that a rule may have.
type Verb struct {
	Do    string
	About string // what it does, for people
	Args  []Arg
}

// Arg is something that an effect is given.
type Arg struct {
	Name   string
	Needed bool
	About  string
}

// Verbs lists the effects.
func Verbs() []Verb {
	path := Arg{"path", true, "of the file"}
	return []Verb{
		{doMessage, "a message comes into the model's context", []Arg{
			{"text", true, "a string, or a list of content blocks with `text`"}, {"role", true, "`user`, `assistant`, `tool` or `system`; other words by a `map`"},
			{"tokens", false, "how many the message has"}, {"summary", false, "true: it stands for what was forgotten"},
		}},
		{doCall, "a call begins", []Arg{
			{"id", false, "that its result names; else the rule's `call`"}, {"tool", false, "else the rule's `tool`"}, {"arguments", false, "any JSON"},
		}},
		{doReturn, "a call ends, well or not", []Arg{{"id", false, "of the call; else the rule's `call`"}}},
		{doWrite, "a file gets a text", []Arg{path, {"text", true, "all of it"}, {"before", false, "what the record says stood there"}}},
		{doEdit, "a part of a file is replaced", []Arg{
			path, {"old", false, "the text that goes"}, {"new", true, "the text that comes"}, {"all", false, "true: every occurrence"},
			{"line", false, "without `old`: the new text goes in behind this line; 0: before the first"}, {"before", false, "all of the file as the record says it was"},
		}},
		{doDelete, "a file goes", []Arg{path}},
		{doMove, "a file moves", []Arg{{"from", true, "its path"}, {"to", true, "its path from now on"}}},
		{doRead, "a file is looked at", []Arg{path, {"text", true, "what was seen"}, {"part", false, "true: it is not all of the file"}}},
		{doRun, "a command runs in the shell", []Arg{
			{"command", true, "the command line"}, {"exit", false, "its exit code: other than 0 is a failure"}, {"cwd", false, "the directory after it"}, {"running", false, "true: it has not ended"},
		}},
		{doTasks, "the task list becomes this; `each` is the list", []Arg{
			{"title", true, "of a task"}, {"status", true, "`todo`, `in_progress`, `done` or `cancelled`; other words by a `map`"}, {"id", false, "else its number from 1"},
		}},
		{doTask, "one task changes, or is added", []Arg{
			{"id", true, "of the task"}, {"title", false, "else it stays"}, {"status", false, "as of `tasks`; else `todo`"}, {"delete", false, "true: it goes"},
		}},
		{doStatus, "the run is in this state", []Arg{{"execution", true, "in your own words"}, {"reason", false, "why"}}},
		{doUsage, "tokens and money", []Arg{
			{"input", false, "tokens, those from a cache not among them"}, {"output", false, "tokens"}, {"cache_read", false, "tokens"}, {"cache_write", false, "tokens"},
			{"reasoning", false, "tokens, not among `output`"}, {"cost", false, "in US dollars"}, {"cumulative", false, "true: the sum so far, not this record's own"},
		}},
		{doFail, "an error of the run", []Arg{{"message", true, "what went wrong"}, {"code", false, "a word for it"}, {"stack", false, "where"}}},
		{doCheckpoint, "the record says what all of `/vars` is, or takes messages out of the context", []Arg{
			{"id", false, "else the record's id"}, {"state", false, "an object: the values under `/vars`, by name; `diff --recorded` compares them with what the events made"},
			{"base", false, "the id of the last event that it stands for; else the one before it"},
			{"forget", false, "ids of the events whose messages go, or `all`"}, {"summary", false, "the text that comes in for them"},
		}},
		{doSet, "a value under `/vars` is set", []Arg{{"path", true, "begins with `/vars/`; pointers stand in braces: `/vars/orders/{/data/id}/total`"}, {"value", true, "any JSON"}}},
		{doUnset, "a value under `/vars` goes", []Arg{{"path", true, "as of `set`"}}},
	}
}

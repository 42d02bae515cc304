package command

// table holds every verb, sorted by name. To add one is to add its file and its
// line here.
func table() []*Command {
	return []*Command{
		bisectCommand(),
		blameCommand(),
		checkCommand(),
		completionCommand(),
		configCommand(),
		contextCommand(),
		demoCommand(),
		dialectsCommand(),
		diffCommand(),
		dumpCommand(),
		historyCommand(),
		importCommand(),
		knewCommand(),
		notesCommand(),
		openCommand(),
		originCommand(),
		queryCommand(),
		sessionsCommand(),
		showCommand(),
		stateCommand(),
		statsCommand(),
		tailCommand(),
		versionCommand(),
		whyCommand(),
	}
}

// All lists every verb, sorted by name.
func All() []*Command { return table() }

// Find finds a verb by its name.
func Find(name string) (*Command, bool) {
	for _, c := range table() {
		if c.Name == name {
			return c, true
		}
	}
	return nil, false
}

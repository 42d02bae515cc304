package command

// This file lists the verbs that only the program itself can do. They have no
// Run: a front that can do them does, and every front can explain them.

func openCommand() *Command {
	return &Command{
		Name: "open", Args: "DUMP...", Max: -1, Input: InputDumps,
		Short: "open the inspector",
		Long:  "The inspector shows the timeline of a session, the event under the cursor, and why it happened. The word open may be left out.",
		Examples: []Example{
			{"hindcast run.jsonl", "walk through a run"},
			{"hindcast open run.jsonl --at error", "start at the last error"},
		},
		Flags: []Flag{
			{Name: "at", Kind: FlagText, Value: "A", Help: "start at this event", Complete: CompleteAddress},
			{Name: "no-mouse", Kind: FlagBool, Help: "leave the mouse to the terminal"},
		},
	}
}

func demoCommand() *Command {
	return &Command{
		Name: "demo", Input: InputNone,
		Short: "open the embedded demo",
		Long:  "A run of an agent that forgot what it had read. On a pipe, or with --no-tui, its guided tour is printed as text. Every verb reads the demo as the dump demo:.",
		Examples: []Example{
			{"hindcast demo", "the inspector on the demo"},
			{"hindcast demo --no-tui", "the tour, to read"},
		},
		Flags: []Flag{
			{Name: "no-tui", Kind: FlagBool, Help: "print the guided tour"},
			{Name: "no-mouse", Kind: FlagBool, Help: "leave the mouse to the terminal"},
		},
	}
}

func completionCommand() *Command {
	return &Command{
		Name: "completion", Args: "SHELL", Min: 1, Max: 1, Input: InputNone,
		Short: "print a completion script for a shell",
		Long:  "For bash, zsh, fish and powershell. Sessions, types, tools and addresses are completed from the dump that -d or $HINDCAST_DUMP names.",
		Examples: []Example{
			{"hindcast completion bash > /etc/bash_completion.d/hindcast", "for every user of bash"},
			{"source <(hindcast completion zsh)", "for this zsh"},
		},
		Complete: CompleteWords,
	}
}

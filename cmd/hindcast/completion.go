package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"hindcast/inspector/command"
)

func shells() []string { return []string{"bash", "zsh", "fish", "powershell"} }

// completion prints a shell's completion script.
func (p *program) completion(root *cobra.Command, a command.Args) error {
	switch a.At(0) {
	case "bash":
		return root.GenBashCompletionV2(p.stdout, true)
	case "zsh":
		return root.GenZshCompletion(p.stdout)
	case "fish":
		return root.GenFishCompletion(p.stdout, true)
	case "powershell":
		return root.GenPowerShellCompletionWithDesc(p.stdout)
	}
	return &command.UsageError{Message: "completion: no such shell " + a.At(0), Hint: "one of " + strings.Join(shells(), " ")}
}

// manCommand writes manual pages, for packagers: hindcast completion man DIR.
func (p *program) manCommand() *cobra.Command {
	return &cobra.Command{
		Use: "man DIR", Hidden: true, Short: "write manual pages into a folder", Args: cobra.ArbitraryArgs,
		DisableFlagsInUseLine: true,
		RunE: func(cc *cobra.Command, args []string) error {
			if len(args) != 1 {
				return &command.UsageError{Message: "completion man: one folder is needed", Hint: "hindcast completion man share/man/man1"}
			}
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return fmt.Errorf("make the folder of the manual: %w", err)
			}
			date := time.Unix(0, 0).UTC() // the same pages from every build
			root := cc.Root()
			root.DisableAutoGenTag = true
			return doc.GenManTree(root, &doc.GenManHeader{Title: "HINDCAST", Section: "1", Source: "hindcast", Manual: "hindcast manual", Date: &date}, args[0])
		},
	}
}

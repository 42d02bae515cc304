// Package theme maps roles to looks: to styles of the screen library and to
// escape sequences for the command line, from one table. It knows no events and
// no text. A role never differs from another by colour alone where the
// difference carries meaning: a glyph or a word always says it as well.
package theme

// Role says what a piece of text is, not how it looks.
type Role uint8

// The roles.
const (
	Plain       Role = iota // ordinary text
	Dim                     // of less weight: noise, hints, units
	Strong                  // of more weight
	User                    // what a person said
	Agent                   // what the model said
	Tool                    // a tool's name, a call
	Ok                      // succeeded
	Fail                    // failed
	Warn                    // deserves a look
	Checkpoint              // a checkpoint, a compaction
	SessionMark             // a session's beginning, end, change of state
	Hook                    // a hook's event
	Link                    // something that can be followed: 83, a path
	Recorded                // a link that the source recorded
	Inferred                // a link that hindcast inferred
	Seq                     // a sequence number
	Time                    // a time or a span of time
	Key                     // a key of an object, a field's name
	StringLit               // a string
	Number                  // a number
	Literal                 // true, false, null
	Punct                   // brackets, commas, rules
	Heading                 // a heading
	Selected                // the row that the cursor is on, in a focused pane
	SelectedDim             // the same in a pane without focus
	Cursor                  // the cell that the cursor is on
	Match                   // a search hit
	Border                  // a pane's frame
	BorderFocus             // the focused pane's frame
	Header                  // the top rows
	Footer                  // the bottom rows
	Gutter                  // line numbers, change bars
	Added                   // added by a change
	Removed                 // removed by a change
	Changed                 // changed in place
	Mark                    // a bookmark, a note
	Prompt                  // the command line's own prompt
	CodeKeyword             // code: a keyword
	CodeName                // code: a function, a type, a tag
	CodeComment             // code: a comment
	roleCount
)

// Roles lists every role.
func Roles() []Role {
	all := make([]Role, roleCount)
	for i := range all {
		all[i] = Role(i)
	}
	return all
}

// attr is a set of attributes that survive where there are no colours.
type attr uint8

const (
	bold attr = 1 << iota
	faint
	italic
	underline
	reverse
)

// look is one role's row in the table. Colours are numbers of the 256-colour
// palette, and of the 16-colour one; none leaves the terminal's own.
type look struct {
	dark, light, ansi int16
	bgDark, bgLight   int16
	attrs             attr
}

const none = -1

func fg(dark, light, ansi int16, attrs attr) look {
	return look{dark, light, ansi, none, none, attrs}
}

var looks = [roleCount]look{
	Plain:       fg(none, none, none, 0),
	Dim:         fg(245, 243, none, faint),
	Strong:      fg(none, none, none, bold),
	User:        fg(114, 28, 2, bold),
	Agent:       fg(none, none, none, 0),
	Tool:        fg(75, 25, 4, 0),
	Ok:          fg(108, 65, 2, 0),
	Fail:        fg(203, 160, 1, bold),
	Warn:        fg(215, 130, 3, 0),
	Checkpoint:  fg(176, 90, 5, bold),
	SessionMark: fg(109, 24, 6, 0),
	Hook:        fg(180, 94, 3, 0),
	Link:        fg(80, 30, 6, underline),
	Recorded:    fg(none, none, none, 0),
	Inferred:    fg(179, 136, 3, italic),
	Seq:         fg(250, 239, none, 0),
	Time:        fg(245, 243, none, faint),
	Key:         fg(110, 25, 4, 0),
	StringLit:   fg(150, 64, 2, 0),
	Number:      fg(180, 94, 3, 0),
	Literal:     fg(176, 90, 5, 0),
	Punct:       fg(242, 246, none, faint),
	Heading:     fg(none, none, none, bold),
	Selected:    {none, none, none, 238, 253, reverse},
	SelectedDim: {none, none, none, 235, 255, underline},
	Cursor:      {none, none, none, none, none, reverse},
	Match:       {232, 232, none, 221, 221, reverse},
	Border:      fg(240, 249, none, faint),
	BorderFocus: fg(110, 25, 6, bold),
	Header:      fg(252, 236, none, bold),
	Footer:      fg(245, 243, none, faint),
	Gutter:      fg(240, 248, none, faint),
	Added:       fg(114, 28, 2, 0),
	Removed:     fg(174, 124, 1, 0),
	Changed:     fg(179, 130, 3, 0),
	Mark:        fg(221, 130, 3, bold),
	Prompt:      fg(110, 25, 6, bold),
	CodeKeyword: fg(176, 90, 5, 0),
	CodeName:    fg(75, 25, 4, 0),
	CodeComment: fg(245, 243, none, italic),
}

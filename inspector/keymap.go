package inspector

import (
	"strings"

	"hindcast/inspector/pane"
	"hindcast/inspector/travel"
)

// binding is one line of the key table: from it come the keys themselves, the
// help page and the footer.
type binding struct {
	keys  string // as printed, separated by spaces; "]k,[k" presses follow one another without
	name  string // what configuration calls it: one for all keys, or one for each, separated by spaces
	group string
	help  string
	foot  string // a word for the footer; empty: not there
	where panels // in whose footer
	do    func(*ui, travel.Stroke)
}

// panels is a set of panel.
type panels uint8

const (
	inTimeline panels = 1 << onTimeline
	inDetail   panels = 1 << onDetail
	inWhy      panels = 1 << onWhy
	inState    panels = 1 << onState
	inContext  panels = 1 << onContext
	inDiff     panels = 1 << onDiff
	everywhere        = 1<<panelCount - 1
)

// bindings is the key table, in the order of the help page. Lower case is this
// event, upper case the other direction or the wider scope; [x and ]x are the
// previous and next x in time; g goes, y copies, z arranges; digits are counts.
func bindings() []binding {
	return []binding{
		{"j Down", "down", "move", "next row of the focused pane; 12j twelve rows", "", 0, rows(1)},
		{"k Up", "up", "move", "previous row", "", 0, rows(-1)},
		{". ,", "later earlier", "move", "next, previous row in time from any pane", "", 0, (*ui).nudge},
		{"J K", "detail-down detail-up", "move", "scroll the detail from any pane", "", 0, (*ui).scrollDetail},
		{"Ctrl-D Ctrl-U", "half-page-down half-page-up", "move", "half a page down, up", "", 0, (*ui).halfPage},
		{"Ctrl-F PgDn", "page-down", "move", "page down", "", 0, pages(1)},
		{"Ctrl-B PgUp", "page-up", "move", "page up", "", 0, pages(-1)},
		{"Space", "into", "move", "into the pane below; there: page down; in the state: fold, unfold", "", 0, (*ui).space},
		{"g gg Home", "first", "move", "first row", "", 0, (*ui).first},
		{"G End", "last", "move", "last row; 120G goes to seq 120, as :120 does", "", 0, (*ui).last},
		{"zt zz zb", "row-top row-middle row-bottom", "move", "put the row at the top, middle, bottom", "", 0, (*ui).place},

		{"c", "cause", "cause", "to the cause: suspect 1, else the event that led here; 2c the second", "cause", everywhere, (*ui).cause},
		{"C", "effects", "cause", "all that followed from it, with depth, failures, time, tokens and cost below each; one alone is gone to", "effects", everywhere, (*ui).effects},
		{"T", "effects-tree", "cause", "in the effects: list or tree; there Space, h, l, H, L fold", "", 0, (*ui).treeKey},
		{"R", "root", "cause", "to the root of the chain", "root", inWhy, (*ui).rootCause},
		{"%", "mate", "cause", "to the other half of a call, then its further results", "mate", inTimeline | inDetail, (*ui).mate},
		{"Enter", "enter", "cause", "timeline: read the detail, or go into the sub-agent that the row made; lists: go to the selected event; state: open a file", "open", inWhy | inState | inContext, (*ui).enter},

		{"x", "context", "state", "context: what the model was given for this step; again: into the pane, and back", "context", everywhere &^ inContext, (*ui).contextKey},
		{"X", "lost", "state", "what this step took out of the context, left in it, and what came back since", "lost", inContext, (*ui).lossKey},
		{"d", "diff", "state", "diff: what this step changed, or the range from A; again: into the pane, and back", "diff", everywhere &^ inDiff, (*ui).diffKey},
		{"v", "range", "state", "put the end A of a range here; moving makes A..B; again or Esc drops it", "range", inDiff, (*ui).anchorKey},
		{"D", "compare", "state", "across the nearest checkpoint: dropped, kept, came back; the summary beside what the user said last", "compare", inTimeline | inDiff, (*ui).acrossKey},
		{"b", "blame", "state", "blame: to the event that wrote the selected value or line, or the file that the event is about", "blame", everywhere, (*ui).blame},
		{"B", "blame-file", "state", "the file with the event that wrote each line", "", 0, (*ui).blameColumn},
		{"gf", "file", "state", "the file as it was after this event: the selected one, or the one that the event is about", "file", inState, (*ui).fileKey},
		{"gF", "edit-file", "state", "the same file in $EDITOR: a copy that cannot be written and goes afterwards", "", 0, (*ui).editorKey},
		{"w", "pin", "state", "pin the selected path, or the file that the event is about, to the top of the state; again: unpin", "pin", inState | inDiff, (*ui).pinKey},
		{"W", "pins", "state", "the pinned paths; there Enter goes to who wrote one last, w or Delete unpins it", "", 0, (*ui).pinList},
		{"Delete", "unpin", "state", "unpin, in the list of pins", "", 0, (*ui).unpinKey},
		{"]d [d", "next-change previous-change", "state", "next, previous change in the diff, from any pane; in X and D: list", "change", inDiff, (*ui).toChange},
		{"]w [w", "next-write previous-write", "state", "next, previous write of the selected path or of the open file", "write", inState, (*ui).toWrite},
		{"o", "origin", "state", "origin: where a text was first said; the prompt offers what the cursor stands on, Tab other parts of it", "origin", inState | inDetail | inDiff, (*ui).originKey},
		{"*", "knew", "state", "knew: when a text was in the model's view, as a lane over the session; Esc ends it", "knew", everywhere, (*ui).knewKey},
		{"H L", "fold-all unfold-all", "state", "fold, unfold what is selected in the state with all below it", "fold", inState, (*ui).foldAll},

		{"e E", "next-error previous-error", "find", "next, previous error", "error", everywhere, (*ui).toError},
		{"]k [k", "next-checkpoint previous-checkpoint", "find", "next, previous checkpoint", "checkpoint", inTimeline, (*ui).toCheckpoint},
		{"]c [c", "next-call previous-call", "find", "next, previous call of the same tool", "", 0, (*ui).toSameTool},
		{"]t [t", "next-turn previous-turn", "find", "next, previous turn (message of the user)", "turn", inTimeline, (*ui).toTurn},
		{"]f [f", "next-finding previous-finding", "find", "next, previous event of a finding", "", 0, (*ui).toFinding},
		{"!", "findings", "find", "the findings of check; Enter goes to the first event of one", "", 0, (*ui).findingList},
		{"]s [s", "next-agent previous-agent", "find", "next, previous call that made a sub-agent; Enter goes in", "", 0, (*ui).toAgent},
		{"u", "caller", "find", "up to the call that made this session", "", 0, (*ui).upKey},
		{"]m [m", "next-mark previous-mark", "find", "next, previous mark or note", "", 0, (*ui).toMark},
		{";", "repeat", "find", "the last of the motions [x ]x again", "", 0, (*ui).repeat},
		{"/", "search", "find", "search titles and text, hides nothing; in it Ctrl-R takes a regular expression, Ctrl-G lists the hits of all sessions", "find", everywhere, (*ui).openSearch},
		{"", "search-back", "find", "search backwards", "", 0, (*ui).openSearchBack},
		{"n N", "next-hit previous-hit", "find", "next, previous search hit", "", 0, (*ui).toHit},
		{":", "command", "find", "go to an address (83, #12, error, cp:2, turn:3, @+90s, an id, a pasted provider error) or run a command; Tab completes", "go", inTimeline, (*ui).openCommand},

		{"Ctrl-O Alt-Left", "back", "return", "back to where the last jump came from", "back", everywhere, (*ui).back_},
		{"Alt-Right Ctrl-]", "forward", "return", "forward again", "", 0, (*ui).forward_},
		{"m{a-z}", "set-mark", "return", "set a mark here", "", 0, (*ui).setMark},
		{"'{a-z}", "go-mark", "return", "go to a mark", "", 0, (*ui).goMark},
		{"'", "marks", "return", "list marks and notes: Enter goes there", "", 0, (*ui).markList},
		{"M", "note", "return", "write a note on the event, or change it; an empty one goes", "", 0, (*ui).noteKey},
		{"''", "previous-place", "return", "to the place before the last jump", "", 0, (*ui).previous},

		{"f", "filter", "show", "filter with a live count: type:Agent* tool:bash failed:true text:\"read timeout\" -kind:hook seq:80..95; Tab completes; :filter save NAME keeps it", "filter", inTimeline, (*ui).openFilter},
		{"=", "keep", "show", "keep only rows with the value under the cursor: of a row its tool; 2= its type, 3= its source", "", 0, (*ui).keepAlike},
		{"-", "drop", "show", "drop rows with it", "", 0, (*ui).keepAlike},
		{"\\", "no-filter", "show", "all filters off", "", 0, (*ui).clearFilter},
		{"a", "all", "show", "every record, or rows with calls and results folded and noise hidden", "all", inTimeline, (*ui).toggleAll},
		{"F", "follow", "show", "follow: keep to the newest row", "", 0, (*ui).toggleFollow},
		{"t", "clock", "show", "time column: since the start, since the row before, wall clock", "", 0, (*ui).nextClock},
		{"r", "raw", "show", "detail as readable text, or as the record's bytes", "raw", inDetail, (*ui).toggleRaw},
		{"s", "sessions", "show", "sessions", "sessions", inTimeline, (*ui).openSessions},
		{"S", "summary", "show", "summary: how it ended, what was never recovered, by tool and agent, slowest, costliest, curves; again: back", "summary", inTimeline, (*ui).summaryKey},

		{"yy", "copy-record", "copy", "copy the record's bytes", "", 0, (*ui).copyRecord},
		{"yv", "copy-value", "copy", "copy the value or line under the cursor", "", 0, (*ui).copyValue},
		{"yp", "copy-path", "copy", "copy the path under the cursor, or of the file that the event is about", "", 0, (*ui).copyPath},
		{"yi", "copy-id", "copy", "copy the event's id", "", 0, (*ui).copyID},
		{"ya", "copy-address", "copy", "copy its address", "", 0, (*ui).copyAddress},
		{"yc", "copy-command", "copy", "copy the command that shows this", "", 0, (*ui).copyCommand},
		{"|", "pipe", "copy", "pipe the record, the value or the file under the cursor into a shell command", "", 0, (*ui).pipeKey},

		{"Tab S-Tab", "next-pane previous-pane", "panes", "the keys go to the next, previous pane or tab, and round to the timeline", "pane", everywhere, (*ui).tabKey},
		{"h Left", "left", "panes", "to the timeline; in the state: fold first", "", 0, (*ui).leftKey},
		{"l Right", "right", "panes", "to the pane below; in the state: unfold", "", 0, (*ui).rightKey},
		{"Z", "zoom", "panes", "zoom the focused pane", "zoom", everywhere &^ inTimeline, (*ui).toggleZoom},
		{"Ctrl-W{hjklw}", "focus", "panes", "focus left, down, up, right, next", "", 0, (*ui).window},
		{"Ctrl-W{+-<>=}", "resize", "panes", "taller, lower, narrower, wider, as it was", "", 0, (*ui).resizePanes},

		{"? F1", "help", "help", "this page", "help", everywhere, (*ui).openHelp},
		{"F2", "mouse", "help", "mouse on, off (off leaves selecting to the terminal)", "", 0, (*ui).toggleMouse},
		{"Esc", "escape", "help", "close what is open, end the search, back to the timeline", "", 0, (*ui).escape},
		{"q", "close", "help", "close what is open; at the root: quit", "quit", inTimeline, (*ui).closeTop},
		{"Ctrl-C", "end", "help", "end at once", "", 0, (*ui).end},
		{"Ctrl-Z", "suspend", "help", "suspend", "", 0, func(u *ui, _ travel.Stroke) { u.suspend() }},

		{"P", "play", "more", "play: the cursor follows recorded time, long gaps are cut short; + and - change the speed, any other key stops", "", 0, (*ui).playKey},
	}
}

// groupTitles are the headings of the help page, in its order.
var groupTitles = []struct{ group, title string }{
	{"move", "Move"}, {"cause", "Cause and effect"}, {"state", "State in time"}, {"find", "Find"}, {"return", "Return"},
	{"show", "Show"}, {"copy", "Copy"}, {"panes", "Panes"}, {"help", "Help and out"}, {"more", "And"},
}

// topics is the table as the help page shows it.
func (t *keyTable) topics() []pane.Topic {
	var out []pane.Topic
	for _, g := range groupTitles {
		topic := pane.Topic{Title: g.title}
		for _, b := range t.list {
			if b.group == g.group && b.keys != "" {
				topic.Keys = append(topic.Keys, pane.Key{Names: b.keys, Help: b.help})
			}
		}
		out = append(out, topic)
	}
	return out
}

// KeysMarkdown is the key table as a page of documentation: one table a topic.
func KeysMarkdown() string {
	cell := strings.NewReplacer("|", "\\|", "\\", "\\\\", "*", "\\*")
	var b strings.Builder
	for i, topic := range newKeyTable(bindings(), "", nil).topics() {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("## " + topic.Title + "\n\n| keys | do |\n|---|---|\n")
		for _, k := range topic.Keys {
			names := "`" + strings.ReplaceAll(strings.ReplaceAll(k.Names, "|", "\\|"), " ", "` `") + "`"
			b.WriteString("| " + names + " | " + cell.Replace(k.Help) + " |\n")
		}
	}
	return b.String()
}

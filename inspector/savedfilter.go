package inspector

import (
	"errors"
	"slices"
	"strings"

	"hindcast/inspector/keep"
	"hindcast/inspector/pane"
	"hindcast/model/query"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// filterVerb is `:filter`: alone it lists the saved filters; "save NAME" saves the
// one that is set, "drop NAME" forgets one, and a name or a filter sets it.
func (u *ui) filterVerb(rest string) {
	word, name, _ := strings.Cut(rest, " ")
	name = strings.TrimSpace(name)
	switch {
	case rest == "":
		u.listFilters()
	case word == "save" && name == "" || word == "drop" && name == "":
		u.say(":filter "+word+" needs a name", theme.Warn)
	case word == "save" && u.st.Filter == "":
		u.say("no filter is set: f sets one", theme.Warn)
	case word == "save":
		u.saidOf("saved as "+name+": :filter "+name+" sets it", u.opt.Keep.SetFilter(name, u.st.Filter))
	case word == "drop":
		if _, ok := u.savedFilter(name); !ok {
			u.say("no filter is saved as "+name, theme.Warn)
			return
		}
		u.saidOf(name+" is forgotten", u.opt.Keep.SetFilter(name, ""))
	default:
		u.setFilter(rest)
	}
}

// saidOf says that something is done, or why not.
func (u *ui) saidOf(done string, err error) {
	if err != nil {
		u.sayError(err)
		return
	}
	u.say(done, theme.Dim)
}

// setFilter sets a saved filter, else the text as a filter. A single word that is
// neither a name nor a term is a name that was mistyped.
func (u *ui) setFilter(s string) {
	if f, ok := u.savedFilter(s); ok {
		u.filter(f.Filter)
		return
	}
	if !strings.ContainsAny(s, ": \"") {
		u.say("no filter is saved as "+s+": :filter lists them, f types one", theme.Warn)
		return
	}
	if _, err := query.Parse(s); err != nil {
		u.sayError(err)
		return
	}
	u.filter(s)
}

func (u *ui) savedFilters() []keep.Filter {
	list, problems := u.opt.Keep.Filters()
	u.sayKept(errors.Join(problems...))
	return list
}

func (u *ui) savedFilter(name string) (keep.Filter, bool) {
	list := u.savedFilters()
	i := slices.IndexFunc(list, func(f keep.Filter) bool { return f.Name == name })
	if i < 0 {
		return keep.Filter{}, false
	}
	return list[i], true
}

// listFilters lists the saved filters; Enter sets one.
func (u *ui) listFilters() {
	list := u.savedFilters()
	if len(list) == 0 {
		u.say("no filter is saved: :filter save NAME saves the one that is set", theme.Dim)
		return
	}
	page := pane.NewLinks(u.look)
	entries := make([]pane.Entry, len(list))
	for i, f := range list {
		entries[i] = pane.Saved(text.Clean(f.Name), text.Clean(f.Filter))
	}
	page.Set(u.st.At, entries)
	u.open_(&overlay{name: "saved filters", view: page, enter: func() {
		i := page.Cursor()
		u.closeOverlay()
		if i >= 0 && i < len(list) {
			u.filter(list[i].Filter)
		}
	}})
}

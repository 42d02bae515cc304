package inspector

import (
	"hindcast/render"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// fresh counts the rows that came while the reader was looking elsewhere.
type fresh struct {
	epoch int
	live  bool  // the dump has been read to its end once: what comes now is new
	seen  int64 // rows that there were when the reader last saw the end
	total int64
}

// counted takes the number of rows, as the session grows.
func (f *fresh) counted(epoch int, total int64, done bool) {
	if f.epoch != epoch || !f.live {
		*f = fresh{epoch: epoch, live: done, seen: total}
	}
	f.total = total
}

// sawEnd forgets what was new once the last row is on the screen.
func (u *ui) sawEnd() {
	_, to := u.timeline.Visible()
	if k, _ := u.timeline.Number(); k > 0 && k+int64(to-1-u.timeline.Cursor()) >= u.news.total && u.overlay == nil {
		u.news.seen = u.news.total
	}
}

// newRows tells how many rows came behind what the reader has seen.
func (u *ui) newRows() render.Line {
	n := u.news.total - u.news.seen
	if n <= 0 || u.news.epoch != u.epoch || u.st.Follow {
		return nil
	}
	return render.Line{{Text: "+" + text.Count(n) + " new", Role: theme.Ok}}
}

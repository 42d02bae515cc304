package command

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"strconv"

	"hindcast/index"
	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/model/query"
	"hindcast/render"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// eventWriter writes events one after another in any format, holding no more
// than one batch of them.
type eventWriter struct {
	o       *Output
	payload func(model.Event) (json.RawMessage, error) // nil: without payloads
	watch   func(model.Event) (*watched, error)        // nil: nothing is watched
	rows    *render.RowOptions                         // the table's columns, from the first batch
	batch   []model.Event
	under   []*watched // what stands under each event of the batch
	seqs    int        // cells of the seq column, where all events are known
	ids     int        // cells of the session column
	day     string     // of the last row
	session bool       // rows name their session
	csv     *csv.Writer
	json    jsonList
	count   int
}

// batchRows is how many rows of a table are drawn at once. Columns are as wide
// as the first batch asks for.
const batchRows = 500

func (w *eventWriter) begin() error {
	switch w.o.Format {
	case JSON:
		w.json = jsonList{w: w.o.W}
		return w.json.begin("events")
	case CSV:
		w.csv = csv.NewWriter(w.o.W)
		return w.csv.Write([]string{"session", "seq", "pos", "id", "type", "kind", "origin", "time", "source", "tool", "call", "title", "failed", "bytes"})
	}
	return nil
}

func (w *eventWriter) add(e model.Event) error {
	w.count++
	var value *watched
	if w.watch != nil {
		var err error
		if value, err = w.watch(e); err != nil {
			return err
		}
	}
	switch w.o.Format {
	case JSON, JSONLines:
		if err := w.addJSON(e); err != nil || value == nil {
			return err
		}
		return answer.EncodeLine(w.o.W, value)
	case CSV:
		return w.csv.Write(csvRow(e))
	}
	w.batch = append(w.batch, e)
	w.under = append(w.under, value)
	if len(w.batch) < batchRows {
		return nil
	}
	return w.flush()
}

func (w *eventWriter) addJSON(e model.Event) error {
	v := answer.NewEvent(e)
	if w.payload != nil {
		var err error
		if v.Payload, err = w.payload(e); err != nil {
			return err
		}
	}
	if w.o.Format == JSONLines {
		return answer.EncodeLine(w.o.W, v)
	}
	return w.json.add(v)
}

// flush draws the rows that wait.
func (w *eventWriter) flush() error {
	if w.o.Format == CSV {
		w.csv.Flush()
		return w.csv.Error()
	}
	if len(w.batch) == 0 {
		return nil
	}
	if w.rows == nil {
		o := render.EventsOptions(w.batch, w.o.Width)
		o.SeqWidth = max(o.SeqWidth, w.seqs)
		o.Session, o.IDWidth = w.session, w.ids
		w.rows = &o
	}
	lines := make([]render.Line, 0, len(w.batch))
	for i, e := range w.batch {
		if day := render.Day(e); day != "" && day != w.day {
			if w.day != "" {
				lines = append(lines, render.Of(day, theme.Dim))
			}
			w.day = day
		}
		lines = append(lines, render.EventRow(e, nil, *w.rows))
		if v := w.under[i]; v != nil {
			lines = append(lines, render.Watched(v.Watch, v.Value, v.By, w.rows.SeqWidth, w.o.Width))
		}
	}
	w.batch, w.under = w.batch[:0], w.under[:0]
	return w.o.Lines(lines)
}

// show makes all that was added appear now.
func (w *eventWriter) show() error {
	if err := w.flush(); err != nil {
		return err
	}
	return w.o.Show()
}

func (w *eventWriter) end() error {
	if w.o.Format != JSON {
		return w.flush()
	}
	return w.json.end()
}

func csvRow(e model.Event) []string {
	failed := ""
	if e.Outcome != model.OutcomeUnknown {
		failed = strconv.FormatBool(e.Outcome.Failed())
	}
	row := []string{
		e.Session, strconv.FormatInt(e.Seq, 10), strconv.FormatInt(e.Pos, 10), e.ID, e.Type, e.Kind.String(), e.Origin.String(),
		e.Time.String(), e.Source, e.Tool, e.Call, e.Title, failed, strconv.FormatInt(e.Span.Length, 10),
	}
	for i, cell := range row {
		row[i] = text.Clean(cell)
	}
	return row
}

// columns sets what of a table must not depend on its first batch.
func (w *eventWriter) columns(ctx context.Context, api index.API, session string) error {
	list, err := api.Sessions(ctx)
	if err != nil {
		return err
	}
	ids := make([]string, 0, len(list))
	for _, s := range list {
		ids = append(ids, s.ID)
		if session == "" || s.ID == session {
			w.seqs = max(w.seqs, len(strconv.FormatInt(s.Last, 10)))
		}
	}
	w.ids = render.SessionWidth(ids)
	w.session = session == "" && len(list) > 1
	return nil
}

// streamEvents writes the events that match, at most limit (0: all).
func streamEvents(ctx context.Context, api index.API, session string, where query.Expr, limit int, w *eventWriter) error {
	if err := w.columns(ctx, api, session); err != nil {
		return err
	}
	if err := w.begin(); err != nil {
		return err
	}
	var failed error
	err := api.Query(ctx, session, where, func(e model.Event) bool {
		failed = w.add(e)
		return failed == nil && (limit == 0 || w.count < limit)
	})
	if failed != nil {
		return failed
	}
	if err != nil {
		return err
	}
	return w.end()
}

// payloads reads records as JSON values.
func payloads(ctx context.Context, api index.API) func(model.Event) (json.RawMessage, error) {
	return func(e model.Event) (json.RawMessage, error) {
		raw, err := api.Raw(ctx, e)
		if err != nil {
			return nil, err
		}
		return payload(raw), nil
	}
}

// payload is a record's bytes as a JSON value. What the encoder cannot take as
// a value (nested beyond its limit, or not JSON at all) becomes a string.
func payload(raw []byte) json.RawMessage {
	raw = bytes.TrimSpace(raw)
	if json.Valid(raw) {
		return raw
	}
	quoted, err := json.Marshal(string(raw))
	if err != nil {
		return nil
	}
	return quoted
}

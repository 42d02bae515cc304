package store

import (
	"context"
	"strings"
)

// upsert is an INSERT that replaces the row of the same key.
func upsert(table, columns string) string {
	n := strings.Count(columns, ",") + 1
	return "INSERT OR REPLACE INTO " + table + "(" + columns + ") VALUES(" + strings.Repeat(",?", n)[1:] + ")"
}

const (
	streamColumns  = "id,dialect,version,reason,confidence,ord,session,parent,title,spec"
	sourceColumns  = "id,name,path,role,dialect,stream,spooled,size,indexed,records,event_bytes,structure_bytes,evidence_bytes,quarantined_bytes,head,tail,mtime,ctime,inode,done"
	sessionColumns = "id,name,stream,rank,ord,seq_sorted,provisional,dialect,version,parent,base,base_pos,title,outcome,events,copies,inherited,failed,open_calls,first,last,last_pos,started,started_form,ended,ended_form,input,output,cache_read,cache_write,reasoning,cost,usage_told,state"
)

var (
	putStream  = upsert("streams", streamColumns)
	putSource  = upsert("sources", sourceColumns)
	putSession = upsertSession()
)

// upsertSession keeps the linker's state where none is given.
func upsertSession() string {
	var set []string
	for _, c := range strings.Split(sessionColumns, ",")[1:] {
		set = append(set, c+"=excluded."+c)
	}
	set[len(set)-1] = "state=coalesce(excluded.state,state)"
	text := strings.Replace(upsert("sessions", sessionColumns), "INSERT OR REPLACE", "INSERT", 1)
	return text + " ON CONFLICT(id) DO UPDATE SET " + strings.Join(set, ",")
}

func (w *Writer) putStreams(ctx context.Context, b *Batch) error {
	for _, s := range b.Streams {
		if err := w.exec(ctx, putStream, s.ID, packText(s.Dialect), packText(s.Version), packText(s.Reason), s.Confidence, int64(s.Order),
			packText(s.Session), packText(s.Parent), packText(s.Title), s.Spec); err != nil {
			return err
		}
	}
	for _, s := range b.Sources {
		if err := w.exec(ctx, putSource, s.ID, packText(s.Name), packText(s.Path), packText(s.Role), packText(s.Dialect), s.Stream, s.Spooled,
			s.Size, s.Indexed, s.Records, s.EventBytes, s.StructureBytes, s.EvidenceBytes, s.QuarantinedBytes,
			int64(s.Head), int64(s.Tail), s.ModTime, s.ChangeTime, int64(s.Inode), s.Done); err != nil {
			return err
		}
	}
	for i := range b.Sessions {
		if err := w.exec(ctx, putSession, sessionValues(&b.Sessions[i])...); err != nil {
			return err
		}
	}
	return nil
}

func sessionValues(s *SessionRow) []any {
	u := s.Usage
	return []any{s.Key, packText(s.ID), s.Stream, s.Rank, int64(s.Order), s.SeqSorted, s.Provisional,
		packText(s.Dialect), packText(s.Version), packText(s.Parent), packText(s.Base), s.BasePos, packText(s.Title), packText(s.Outcome),
		s.Events, s.Copies, s.Inherited, s.Failed, s.OpenCalls, s.First, s.Last, s.LastPos,
		timeValue(s.Started), timeForm(s.Started), timeValue(s.Ended), timeForm(s.Ended),
		u.Input, u.Output, u.CacheRead, u.CacheWrite, u.Reasoning, u.CostUSD, int64(u.Told), s.State}
}

func (w *Writer) putRest(ctx context.Context, b *Batch) error {
	for _, q := range b.Quarantined {
		if err := w.exec(ctx, "INSERT OR REPLACE INTO quarantine VALUES(?,?,?,?)", q.Source, q.Offset, q.Length, packText(q.Reason)); err != nil {
			return err
		}
	}
	for _, e := range b.Evidence {
		if err := w.exec(ctx, "INSERT OR REPLACE INTO evidence VALUES(?,?,?,?)", e.Source, e.Offset, e.Length, packText(e.What)); err != nil {
			return err
		}
	}
	for _, s := range b.Skipped {
		if err := w.exec(ctx, "INSERT OR REPLACE INTO skipped VALUES(?,?)", notNull(s.Name), packText(s.Reason)); err != nil {
			return err
		}
	}
	for _, s := range b.Spool {
		w.spool.add(s.Source)
		w.spool.add(s.Offset)
		w.spool.add(s.Raw)
		w.spool.add(s.Data)
		if err := w.spool.flush(ctx); err != nil {
			return err
		}
	}
	return w.putMeta(ctx, b.Meta)
}

func (w *Writer) putMeta(ctx context.Context, meta map[string]string) error {
	for name, value := range meta {
		var err error
		if value == "" {
			err = w.exec(ctx, "DELETE FROM meta WHERE name=?", name)
		} else {
			err = w.exec(ctx, "INSERT OR REPLACE INTO meta VALUES(?,?)", name, packText(value))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// notNull is packText for a column that may not be NULL.
func notNull(s string) any {
	if s == "" {
		return ""
	}
	return packText(s)
}

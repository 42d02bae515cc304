-- The index of hindcast. It is a cache: everything in it can be built again
-- from the dump. The views at the end (v_...) are stable and meant for other
-- programs; the tables may change with PRAGMA user_version.
--
-- Text that is not valid UTF-8 or holds a NUL is stored as BLOB. Identifiers
-- (id, call, alias, to_id) that are canonical UUIDs are stored as x'01' and
-- their 16 bytes, odd ones as x'00' and their bytes; the views spell them.
-- Times are nanoseconds since 1970 UTC.

-- What the importer keeps about the whole.
CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;

-- A run of sources that one dialect reads in order.
CREATE TABLE streams (
  id INTEGER PRIMARY KEY, dialect, version, reason, confidence INTEGER,
  ord INTEGER,                 -- replay order: 0 by seq, 1 arrival, 2 repaired
  session, parent, title, spec
);

-- The members of the dump, and where their bytes went.
CREATE TABLE sources (
  id INTEGER PRIMARY KEY, name, path, role, dialect, stream INTEGER,
  spooled INTEGER, size INTEGER, indexed INTEGER, records INTEGER,
  event_bytes INTEGER, structure_bytes INTEGER, evidence_bytes INTEGER, quarantined_bytes INTEGER,
  head INTEGER, tail INTEGER,  -- hashes of the first and last indexed bytes
  mtime INTEGER, ctime INTEGER, inode INTEGER, done INTEGER
);

CREATE TABLE sessions (
  id INTEGER PRIMARY KEY,      -- from 1; see events.key
  name,                        -- the session's id in the source
  stream INTEGER,
  rank INTEGER,                -- order of the first event in the dump
  ord INTEGER, seq_sorted INTEGER, provisional INTEGER,
  dialect, version, parent,
  base, base_pos INTEGER,      -- the session that it goes on from, and the last pos that it has from there
  title, outcome,
  events INTEGER, copies INTEGER, inherited INTEGER, failed INTEGER, open_calls INTEGER,
  first INTEGER, last INTEGER, last_pos INTEGER,
  started INTEGER, started_form INTEGER, ended INTEGER, ended_form INTEGER, -- form: as bits 0-4 of events.flags
  input INTEGER, output INTEGER, cache_read INTEGER, cache_write INTEGER, reasoning INTEGER,
  cost REAL, usage_told INTEGER,                                           -- a bit for each of these, from 0 in their order
  state                        -- the linker's working state
);
CREATE INDEX sessions_name ON sessions(name);

-- What events have in common, kept once: a shape is a combination that occurs.
CREATE TABLE shapes (id INTEGER PRIMARY KEY, type, source, tool);
CREATE INDEX shapes_name ON shapes(type, source, tool);

-- One row an event, about 60 bytes without its texts. Integers are relative
-- to the row where that makes them small.
CREATE TABLE events (
  key INTEGER PRIMARY KEY,     -- (session - 1) << 32 | pos
  flags INTEGER NOT NULL,      -- bits 0-4 time form (0 unknown, else 1 + 2*digits + naive), 5 own seq, 6-7 outcome,
                               -- 8-11 kind, 12 turn (message of the user), 13-14 origin, 15 noise,
                               -- 16-19 the cause's link (0-2 reason, 3 inferred), 20 call is id, from 21 on shape
  seq INTEGER NOT NULL,        -- seq - pos
  time INTEGER,
  id, title, call,             -- call is NULL where it is the id
  source INTEGER, offset INTEGER, length INTEGER, -- where the record's bytes stand
  hash INTEGER,                -- of the record's bytes, to recognise copies
  cause INTEGER,               -- key - key of the preferred cause
  root INTEGER,                -- pos - pos of the end of the causal chain
  depth INTEGER,               -- steps to that end
  mate INTEGER                 -- pos of the other half of a call - pos
);

-- From a cause to what it caused. Causes are mostly recent: it is filled at its end.
CREATE INDEX events_cause ON events(key - cause) WHERE cause IS NOT NULL;
-- What people step to: few rows each, so that keeping these during a load costs
-- less than the scans that build them behind it.
CREATE INDEX events_failed ON events(key) WHERE flags >> 6 & 3 = 2;
CREATE INDEX events_checkpoint ON events(key) WHERE flags >> 8 & 15 = 5;
CREATE INDEX events_turn ON events(key) WHERE flags >> 12 & 1 = 1;

-- Links that are not the event's preferred cause.
CREATE TABLE links (
  src INTEGER NOT NULL,        -- events.key
  n INTEGER NOT NULL,          -- order within the event
  code INTEGER NOT NULL,       -- bits 0-2 reason, 3 inferred, 4-5 broken (1 missing, 2 later, 3 self)
  back INTEGER,                -- src - key of the target; NULL while unresolved
  to_id,                       -- the target as written; only while unresolved or broken
  PRIMARY KEY (src, n)
) WITHOUT ROWID;

-- Other ids by which an event may be addressed; the first that carries one has it.
CREATE TABLE aliases (
  session INTEGER NOT NULL, alias NOT NULL, pos INTEGER NOT NULL,
  PRIMARY KEY (session, alias)
) WITHOUT ROWID;

CREATE TABLE quarantine (
  source INTEGER NOT NULL, offset INTEGER NOT NULL, length INTEGER NOT NULL, reason,
  PRIMARY KEY (source, offset)
) WITHOUT ROWID;

CREATE TABLE evidence (
  source INTEGER NOT NULL, offset INTEGER NOT NULL, length INTEGER NOT NULL, what,
  PRIMARY KEY (source, offset)
) WITHOUT ROWID;

CREATE TABLE skipped (name PRIMARY KEY NOT NULL, reason) WITHOUT ROWID;

-- Bytes of sources that cannot be read again at an offset: blocks packed with S2.
CREATE TABLE spool (source INTEGER NOT NULL, offset INTEGER NOT NULL, raw INTEGER NOT NULL, data BLOB NOT NULL);
CREATE UNIQUE INDEX spool_at ON spool(source, offset);

-- Stable views --------------------------------------------------------------

-- One row an event; time is UTC as text to the millisecond, time_ns exact.
CREATE VIEW v_events AS
SELECT s.name AS session, e.seq + (e.key & 4294967295) AS seq, e.key & 4294967295 AS pos,
  CASE WHEN typeof(e.id)<>'blob' THEN e.id WHEN length(e.id)=17 AND substr(e.id,1,1)=x'01' THEN substr(lower(hex(e.id)),3,8)||'-'||substr(lower(hex(e.id)),11,4)||'-'||substr(lower(hex(e.id)),15,4)||'-'||substr(lower(hex(e.id)),19,4)||'-'||substr(lower(hex(e.id)),23) ELSE substr(e.id,2) END AS id,
  h.type AS type,
  CASE e.flags >> 8 & 15 WHEN 0 THEN 'other' WHEN 1 THEN 'message' WHEN 2 THEN 'action' WHEN 3 THEN 'observation' WHEN 4 THEN 'error' WHEN 5 THEN 'checkpoint' WHEN 6 THEN 'session' WHEN 7 THEN 'state' WHEN 8 THEN 'hook' WHEN 9 THEN 'delta' END AS kind,
  CASE e.flags >> 13 & 3 WHEN 0 THEN 'recorded' WHEN 1 THEN 'derived' WHEN 2 THEN 'inherited' ELSE 'copied' END AS origin,
  strftime('%Y-%m-%dT%H:%M:%f', e.time / 1000000000.0, 'unixepoch') AS time, e.time AS time_ns,
  h.source AS source, h.tool AS tool,
  CASE WHEN typeof(e.own)<>'blob' THEN e.own WHEN length(e.own)=17 AND substr(e.own,1,1)=x'01' THEN substr(lower(hex(e.own)),3,8)||'-'||substr(lower(hex(e.own)),11,4)||'-'||substr(lower(hex(e.own)),15,4)||'-'||substr(lower(hex(e.own)),19,4)||'-'||substr(lower(hex(e.own)),23) ELSE substr(e.own,2) END AS call,
  coalesce(e.title, '') AS title,
  CASE e.flags >> 6 & 3 WHEN 1 THEN 0 WHEN 2 THEN 1 END AS failed,
  e.flags >> 15 & 1 AS noise,
  (e.key - e.cause & 4294967295) AS cause_pos,
  e.key - coalesce(e.root, 0) & 4294967295 AS root_pos, coalesce(e.depth, 0) AS depth,
  (e.key & 4294967295) + e.mate AS mate_pos,
  o.name AS file, e.offset AS offset, e.length AS bytes
FROM (SELECT *, CASE WHEN flags >> 20 & 1 THEN id ELSE call END AS own FROM events) e LEFT JOIN shapes h ON h.id = e.flags >> 21
LEFT JOIN sessions s ON s.id = (e.key >> 32) + 1 LEFT JOIN sources o ON o.id = e.source;

-- One row a link; to_pos is NULL while the target is unknown, broken says why.
CREATE VIEW v_links AS
SELECT s.name AS session, l.src & 4294967295 AS pos,
  CASE l.code & 7 WHEN 0 THEN 'action' WHEN 1 THEN 'source' WHEN 2 THEN 'spawn' WHEN 3 THEN 'data' WHEN 4 THEN 'base' WHEN 5 THEN 'forgets' WHEN 6 THEN 'parent' WHEN 7 THEN 'batch' END AS reason,
  l.code >> 3 & 1 AS inferred, t.name AS to_session, l.src - l.back & 4294967295 AS to_pos,
  CASE WHEN typeof(l.to_id)<>'blob' THEN l.to_id WHEN length(l.to_id)=17 AND substr(l.to_id,1,1)=x'01' THEN substr(lower(hex(l.to_id)),3,8)||'-'||substr(lower(hex(l.to_id)),11,4)||'-'||substr(lower(hex(l.to_id)),15,4)||'-'||substr(lower(hex(l.to_id)),19,4)||'-'||substr(lower(hex(l.to_id)),23) ELSE substr(l.to_id,2) END AS to_id,
  CASE l.code >> 4 & 3 WHEN 1 THEN 'missing' WHEN 2 THEN 'later' WHEN 3 THEN 'self' END AS broken,
  l.preferred AS preferred
FROM (SELECT key AS src, flags >> 16 & 15 AS code, cause AS back, NULL AS to_id, 1 AS preferred FROM events WHERE cause IS NOT NULL
      UNION ALL SELECT src, code, back, to_id, 0 FROM links) l
LEFT JOIN sessions s ON s.id = (l.src >> 32) + 1
LEFT JOIN sessions t ON t.id = (l.src - l.back >> 32) + 1;

CREATE VIEW v_sessions AS
SELECT name AS session, dialect, version, parent, title, outcome, events, copies, inherited, failed, open_calls,
  first AS first_seq, last AS last_seq,
  strftime('%Y-%m-%dT%H:%M:%f', started / 1000000000.0, 'unixepoch') AS started,
  strftime('%Y-%m-%dT%H:%M:%f', ended / 1000000000.0, 'unixepoch') AS ended,
  CASE WHEN usage_told & 1 THEN input END AS input_tokens, CASE WHEN usage_told & 2 THEN output END AS output_tokens,
  CASE WHEN usage_told & 4 THEN cache_read END AS cache_read_tokens, CASE WHEN usage_told & 8 THEN cache_write END AS cache_write_tokens,
  CASE WHEN usage_told & 16 THEN reasoning END AS reasoning_tokens, CASE WHEN usage_told & 32 THEN cost END AS cost_usd
FROM sessions;

CREATE VIEW v_quarantine AS
SELECT s.name AS file, q.offset AS offset, q.length AS bytes, q.reason AS reason
FROM quarantine q LEFT JOIN sources s ON s.id = q.source;

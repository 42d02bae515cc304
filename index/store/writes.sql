-- What the events did to the state: the second half of the index, executed
-- behind schema.sql. Paths are stored as BLOB, byte for byte, so that they sort
-- bytewise. Packed columns hold varints (LEB128; signed ones zigzag).

-- How far each session is folded, and how many writes that made.
CREATE TABLE folded (session INTEGER PRIMARY KEY, pos INTEGER NOT NULL, writes INTEGER NOT NULL);

-- Working states of the fold, the last few of each session.
CREATE TABLE folds (session INTEGER NOT NULL, pos INTEGER NOT NULL, state BLOB NOT NULL, PRIMARY KEY (session, pos)) WITHOUT ROWID;

-- What the fold noticed on the way.
CREATE TABLE notes (
  session INTEGER NOT NULL, pos INTEGER NOT NULL, n INTEGER NOT NULL,
  kind INTEGER NOT NULL,       -- 0 outside, 1 no match, 2 forgets unknown, 3 seen, 4 ambiguous
  path BLOB, text,
  PRIMARY KEY (session, pos, n)
) WITHOUT ROWID;

-- The writes, those of 16 neighbouring positions in one row, in order.
CREATE TABLE writes (
  key INTEGER PRIMARY KEY,     -- (session - 1) << 32 | pos & ~15
  data BLOB NOT NULL           -- events, each: pos & 15 (1 byte), seq - pos (signed), length, records of that length
);

-- Cells that are written again and again, by number: all but those in lives.
CREATE TABLE cells (
  session INTEGER NOT NULL, path BLOB NOT NULL, id INTEGER NOT NULL,
  born INTEGER NOT NULL,       -- pos of the first write
  died INTEGER,                -- pos of the first write that took the member away
  gone INTEGER,                -- pos of the last write if that took it away
  PRIMARY KEY (session, path)
) WITHOUT ROWID;
CREATE UNIQUE INDEX cells_id ON cells(id);

-- At which positions a cell was written: chunks of at most 256.
CREATE TABLE posts (
  cell INTEGER NOT NULL, pos INTEGER NOT NULL, -- of the chunk's first write
  data BLOB NOT NULL,          -- for each: (pos - the one before) << 1 | took it away
  PRIMARY KEY (cell, pos)
) WITHOUT ROWID;

-- Members that come once and go: the lives of 1,024 of them by the number that
-- names them. A life is all writes of it, so a block that has died out before a
-- moment is passed over by its columns alone.
CREATE TABLE lives (
  session INTEGER NOT NULL,
  kind INTEGER NOT NULL,       -- 0 messages whose key is a pos, by that; 1 other messages, 2 pending calls, by the pos of their coming
  block INTEGER NOT NULL,      -- number >> 10
  born INTEGER NOT NULL,       -- pos of the first write
  last INTEGER NOT NULL,       -- pos of the last write
  alive INTEGER NOT NULL,      -- members left after that
  data BLOB NOT NULL,
  PRIMARY KEY (session, kind, block)
) WITHOUT ROWID;
CREATE INDEX lives_span ON lives(session, kind, block, born, last, alive);

-- The members of kinds 1 and 2 by path, each with the positions of its comings.
-- Ids of calls are random: a part at a time keeps what a load touches small.
CREATE TABLE comings (
  session INTEGER NOT NULL, part INTEGER NOT NULL, -- pos >> 16
  path BLOB NOT NULL, data BLOB NOT NULL,
  PRIMARY KEY (session, part, path)
) WITHOUT ROWID;

-- Versions of the texts of files.
CREATE TABLE texts (
  cell INTEGER NOT NULL,
  at INTEGER NOT NULL,         -- pos << 1; + 1: of the event's second write
  hash INTEGER,                -- of the session and the text, NULL: not known from here on
  data BLOB NOT NULL,          -- see filetext.go
  PRIMARY KEY (cell, at)
) WITHOUT ROWID;
CREATE INDEX texts_hash ON texts(hash) WHERE hash IS NOT NULL;

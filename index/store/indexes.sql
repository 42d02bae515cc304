-- Secondary indexes, built behind the first load. Each ends in the row's key,
-- so it is also ordered by session and pos within equal values.
CREATE INDEX IF NOT EXISTS events_id ON events(id) WHERE id IS NOT NULL;
CREATE INDEX IF NOT EXISTS links_target ON links(src - back) WHERE back IS NOT NULL;

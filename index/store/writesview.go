package store

import (
	"fmt"
	"strings"
)

// writesViewSQL makes the view that shows the packed writes. It reads them with
// nothing but SQLite's own functions, so that it works in any shell: slowly, a
// row of writes at a time. Objects of messages, files and pending are taken
// apart where they are stored, and not put together again.
//
// unpacked walks over a row in steps. Even steps read what stands at offset o:
// a byte b, an unsigned varint v and its length l. Odd ones tell by the state s
// what it was:
//
//	0 event  1 its seq  2 its length  3 record's length  4 flags
//	5-8 the cell's name by form  9 length of a name  10 pos of a coming
//	11 distances to pass over  12 the value  13 its text  14 the end
func writesViewSQL() string {
	const signed = "CASE WHEN v & 1 THEN -(v >> 1) - 1 ELSE v >> 1 END"
	step := func(column string, at map[int]string) string {
		var b strings.Builder
		b.WriteString("CASE")
		for s := range 15 {
			if e, ok := at[s]; ok {
				fmt.Fprintf(&b, " WHEN odd AND s=%d THEN %s", s, e)
			}
		}
		return b.String() + " ELSE " + column + " END"
	}
	rest := "CASE WHEN f & 20 THEN 11 ELSE 12 END"
	next := "CASE WHEN rz < z THEN 3 WHEN z < length(r.data) THEN 0 ELSE 14 END"
	columns := []string{
		"1 - odd",
		step("s", map[int]string{0: "1", 1: "2", 2: "3", 3: "4", 4: "5 + (b & 3)", 5: rest, 6: rest, 7: "9", 8: "10", 9: rest, 10: rest,
			11: "CASE WHEN f & 20 = 20 THEN 11 ELSE 12 END", 12: next}),
		step("o", map[int]string{0: "o+1", 1: "o+l", 2: "o+l", 3: "o+l", 4: "o+1", 5: "o+l", 6: "o+l", 7: "o+1", 8: "o+l", 9: "o+l+v", 10: "o+l", 11: "o+l", 12: "rz"}),
		"CASE WHEN odd THEN b ELSE " + byteSQL("o") + " END",
		"CASE WHEN odd THEN v ELSE " + varintSQL + " END",
		"CASE WHEN odd THEN l ELSE " + varintLenSQL + " END",
		step("pos", map[int]string{0: "(r.key & 4294967295) + b"}),
		step("seq", map[int]string{1: "pos + (" + signed + ")"}),
		step("z", map[int]string{2: "o + l + v"}),
		step("rz", map[int]string{3: "o + l + v"}),
		step("f", map[int]string{4: "b", 11: "CASE WHEN f & 4 THEN f & ~4 ELSE f & ~16 END"}),
		step("old", map[int]string{4: "b & 12"}),
		step("class", map[int]string{4: "NULL", 7: "b", 8: "1 + (v & 1)"}),
		step("n", map[int]string{4: "NULL", 5: "v", 6: "pos - (" + signed + ")", 7: "pos", 10: "pos - v"}),
		step("k", map[int]string{4: "NULL", 7: "CASE b WHEN 1 THEN messages ELSE calls END", 8: "v >> 1"}),
		step("name", map[int]string{4: "NULL", 9: "CAST(substr(r.data, o+l+1, v) AS TEXT)"}),
		step("messages", map[int]string{0: "0", 7: "messages + (b = 1)"}),
		step("calls", map[int]string{0: "0", 7: "calls + (b = 2)"}),
	}
	const names = "odd,s,o,b,v,l,pos,seq,z,rz,f,old,class,n,k,name,messages,calls"
	walk := "WITH RECURSIVE walk(" + names + ") AS (SELECT 0,0,0,0,0,0,0,0,0,0,0,0,NULL,NULL,NULL,NULL,0,0\nUNION ALL SELECT " +
		strings.Join(columns, ",\n") + " FROM walk WHERE s < 14 AND o <= length(r.data))\n" +
		"SELECT json_group_array(json_array(pos,seq,f & 3,class,n,k,name," +
		"CASE WHEN f >> 5 = 0 THEN 'remove' WHEN old THEN 'replace' ELSE 'add' END," +
		"CASE f >> 5 WHEN 1 THEN CAST(substr(r.data,o+l+1,v) AS TEXT) WHEN 2 THEN CAST(v AS TEXT) WHEN 3 THEN CASE b WHEN 0 THEN 'null' WHEN 1 THEN 'true' ELSE 'false' END END)) FROM walk WHERE odd AND s=12"
	at := func(i int) string { return fmt.Sprintf("w.value ->> %d", i) }
	return "CREATE VIEW v_writes_unpacked AS SELECT r.key AS key, " +
		at(0) + " AS pos," + at(1) + " AS seq," + at(2) + " AS form," + at(3) + " AS class," + at(4) + " AS n," + at(5) + " AS k," + at(6) + " AS name," + at(7) + " AS op," + at(8) + " AS new\n" +
		"FROM writes r, json_each((" + walk + ")) w;\n" + `
-- One row a write. new is NULL where the value is gone, and where it is an
-- object of a message, a file or a pending call.
CREATE VIEW v_writes AS
SELECT s.name AS session, w.seq AS seq, w.pos AS pos,
  CASE w.form WHEN 0 THEN (SELECT CAST(path AS TEXT) FROM cells WHERE id = w.n)
    WHEN 1 THEN '/context/messages/' || printf('%010d', w.n)
    ELSE CASE w.class WHEN 2 THEN '/pending/' ELSE '/context/messages/' END ||
      coalesce(w.name, (SELECT c.name FROM v_writes_unpacked c WHERE c.key = (w.key >> 32 << 32 | w.n & ~15) AND c.pos = w.n AND c.form = 2 AND c.class = w.class AND c.k = w.k)) END AS path,
  w.op AS op, w.new AS new
FROM v_writes_unpacked w LEFT JOIN sessions s ON s.id = (w.key >> 32) + 1;
`
}

// byteSQL is SQL for the byte of data at an offset.
func byteSQL(offset string) string {
	digit := func(i int) string {
		return fmt.Sprintf("instr('123456789ABCDEF',substr(hex(substr(r.data,%s+1,1)),%d,1))", offset, i)
	}
	return "(" + digit(1) + " << 4 | " + digit(2) + ")"
}

// varintSQL and varintLenSQL are SQL for the unsigned varint at o, of at most
// nine bytes, and for how many it has. They do not nest: older shells parse little depth.
var varintSQL, varintLenSQL = func() (value, length string) {
	const most = 9
	var sum []string
	for i := range most {
		b := byteSQL(fmt.Sprintf("o+%d", i))
		sum = append(sum, fmt.Sprintf("((%s & 127) << %d)", b, 7*i))
		value += fmt.Sprintf(" WHEN %s < 128 THEN %s", b, strings.Join(sum, " | "))
		length += fmt.Sprintf(" WHEN %s < 128 THEN %d", b, i+1)
	}
	return "CASE" + value + " END", "CASE" + length + " END"
}()

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hindcast/index"
	"hindcast/model"
	"hindcast/model/answer"
)

// sharedData finds the folder of real dumps, which stands beside the project.
func sharedData(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(moduleRoot(t), "..", "shared", "data")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the folder of sample dumps is not beside the project: %v", err)
	}
	return dir
}

// runHere runs a command line in this process.
func runHere(t *testing.T, words ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	p := &program{
		stdin: strings.NewReader(""), stdout: newSink(&out), stderr: &errs, open: openIndex,
		getenv: func(name string) string { return "" },
	}
	code = p.run(context.Background(), words)
	return out.String(), errs.String(), code
}

// openhandsDumps lists the dumps below data/openhands: what stands beside the
// files of expectations.
func openhandsDumps(t *testing.T) []string {
	t.Helper()
	entries, err := filepath.Glob(filepath.Join(sharedData(t), "openhands", "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	var dumps []string
	for _, name := range entries {
		switch base := filepath.Base(name); {
		case base == "truth.json", base == "expected.json", strings.HasSuffix(base, ".md"), strings.HasPrefix(base, "."):
		default:
			dumps = append(dumps, name)
		}
	}
	if len(dumps) < 20 {
		t.Fatalf("only %d dumps found", len(dumps))
	}
	return dumps
}

// TestOpenHandsDumps: each opens, its bytes add up, a file comes back as it
// was, and every event's record stands where the index says.
func TestOpenHandsDumps(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for _, name := range openhandsDumps(t) {
		t.Run(filepath.Base(filepath.Dir(name))+"/"+filepath.Base(name), func(t *testing.T) {
			out, errs, code := runHere(t, "import", "--json", name)
			if code != 0 {
				t.Fatalf("import exits %d: %s%s", code, out, errs)
			}
			var got answer.Import
			if err := json.Unmarshal([]byte(out), &got); err != nil {
				t.Fatal(err)
			}
			a := got.Accounting
			if a.Bytes == 0 || a.Bytes != a.EventBytes+a.StructureBytes+a.EvidenceBytes+a.QuarantinedBytes {
				t.Errorf("the bytes do not add up: %+v", a)
			}
			checkRecords(t, name)
		})
	}
}

func checkRecords(t *testing.T, name string) {
	t.Helper()
	info, err := os.Stat(name)
	if err != nil || info.IsDir() || strings.HasSuffix(name, ".zip") {
		return
	}
	file, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if out, errs, code := runHere(t, "dump", "--raw", name); code != 0 || out != string(file) {
		t.Errorf("dump --raw exits %d with %d bytes, want %d: %s", code, len(out), len(file), errs)
	}
	ctx := context.Background()
	idx, err := openIndex(ctx, []string{name}, index.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer idx.Close()
	err = idx.Query(ctx, "", nil, func(e model.Event) bool {
		raw, err := idx.Raw(ctx, e)
		if err != nil || !bytes.Equal(raw, file[e.Span.Offset:e.Span.End()]) {
			t.Errorf("event %s pos %d: %v, or other bytes", e.Session, e.Pos, err)
		}
		return true
	})
	if err != nil {
		t.Error(err)
	}
}

package patch_test

import (
	"testing"

	"hindcast/model/patch"
)

func TestV4A(t *testing.T) {
	const text = "cd src && apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: a.txt\n+one\n+\n*** Delete File: b.txt\n" +
		"*** Update File: c.txt\n*** Move to: d.txt\n@@ func f\n keep\n-old\n+new\n*** End Patch\nEOF\n"
	changes, ok := patch.V4A(text)
	if !ok || len(changes) != 3 {
		t.Fatalf("got %+v, %v", changes, ok)
	}
	if c := changes[0]; c.Op != patch.OpAdd || c.Path != "a.txt" || c.Content != "one\n\n" {
		t.Errorf("got %+v", c)
	}
	if c := changes[1]; c.Op != patch.OpDelete || c.Path != "b.txt" {
		t.Errorf("got %+v", c)
	}
	if c := changes[2]; c.Op != patch.OpUpdate || c.Path != "c.txt" || c.To != "d.txt" {
		t.Errorf("got %+v", c)
	}
	if got, ok := changes[2].Apply("keep\nold\nfunc f\nkeep\nold\n"); !ok || got != "keep\nold\nfunc f\nkeep\nnew\n" {
		t.Errorf("got %q, %v", got, ok)
	}
}

func TestV4ARefusesWhatIsNone(t *testing.T) {
	for _, text := range []string{
		"", "*** Begin Patch\n*** End Patch", "*** Begin Patch\n*** Add File: a\n+x\n", "*** Begin Patch\nx\n*** End Patch",
		"*** Begin Patch\n*** Add File: a\nx\n*** End Patch", "*** Begin Patch\n*** Update File: a\n@@\n!x\n*** End Patch",
	} {
		if changes, ok := patch.V4A(text); ok {
			t.Errorf("%q: got %+v", text, changes)
		}
	}
}

func TestV4AApply(t *testing.T) {
	tests := map[string]struct {
		text, body, want string
		refused          bool
	}{
		"first of two":       {text: "a\nb\na\nb\n", body: "@@\n a\n-b\n+c\n", want: "a\nc\na\nb\n"},
		"two places":         {text: "a\nb\nc\n", body: "-a\n+1\n@@\n-c\n+3\n", want: "1\nb\n3\n"},
		"at the end":         {text: "a\nb\na\n", body: "@@\n-a\n+z\n*** End of File\n", want: "a\nb\nz\n"},
		"insertion":          {text: "a\n", body: "@@\n+b\n", want: "a\nb\n"},
		"newline is made":    {text: "a", body: "@@\n-a\n+b\n", want: "b\n"},
		"the end is no line": {text: "a\nb\n", body: "@@\n b\n+c\n \n", want: "a\nb\nc\n"},
		"nearly the same":    {text: "a \n", body: "@@\n-a\n+b\n", refused: true},
		"no such heading":    {text: "a\n", body: "@@ f\n-a\n+b\n", refused: true},
		"backwards":          {text: "a\nb\n", body: "@@\n-b\n+2\n@@\n-a\n+1\n", refused: true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			changes, ok := patch.V4A("*** Begin Patch\n*** Update File: f\n" + test.body + "*** End Patch")
			if !ok {
				t.Fatal("no patch")
			}
			got, ok := changes[0].Apply(test.text)
			if ok == test.refused || ok && got != test.want {
				t.Errorf("got %q, %v", got, ok)
			}
		})
	}
}

func FuzzV4A(f *testing.F) {
	f.Add("*** Begin Patch\n*** Update File: f\n@@ h\n a\n-b\n+c\n*** End of File\n*** End Patch", "h\na\nb\n")
	f.Fuzz(func(t *testing.T, text, file string) {
		changes, _ := patch.V4A(text)
		for _, c := range changes {
			c.Apply(file)
		}
	})
}

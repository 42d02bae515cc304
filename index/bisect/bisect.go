// Package bisect finds where an expression over the state document turns true
// or false. It is the door of github.com/expr-lang/expr.
package bisect

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"

	"hindcast/model"
	"hindcast/model/replay"
)

// Expr is a compiled expression over the state document: its members are
// variables, lists are arrays, files and vars are maps.
type Expr struct {
	program *vm.Program
	loops   bool     // it may take long
	reads   []string // pointers into the state document, sorted
	places  []replay.Place
}

// SyntaxError is an expression that does not compile. Column is 1-based.
type SyntaxError struct {
	Column int
	Reason string
}

// Error says what is wrong.
func (e *SyntaxError) Error() string { return e.Reason }

// Compile reads an expression that is true or false.
func Compile(text string) (*Expr, error) {
	reader := new(reader)
	// The same dump gives the same answer at any time and place.
	program, err := expr.Compile(text, expr.Env(document{}), expr.DisableBuiltin("now"), expr.Timezone("UTC"), expr.Patch(reader))
	if err != nil {
		var at *file.Error
		if errors.As(err, &at) {
			return nil, &SyntaxError{Column: at.Column + 1, Reason: at.Message}
		}
		return nil, &SyntaxError{Reason: err.Error()}
	}
	x := &Expr{program: program, loops: reader.loops, reads: ends(reader.paths)}
	for _, p := range x.reads {
		place, ok := replay.Locate(p)
		if !ok {
			return nil, &SyntaxError{Reason: "the state has no " + p}
		}
		if unknown := unknownField(place); unknown != "" {
			return nil, &SyntaxError{Reason: unknown}
		}
		x.places = append(x.places, place)
	}
	return x, nil
}

// fields are the members of what the state document holds by name.
var fields = map[string][]string{
	model.PathFiles: {"content", "certainty", "lines", "sha256", "written_by", "written_pos"},
	"/checkpoint":   {"id", "seq", "pos", "base_seq"},
}

// unknownField says that a file or the checkpoint has no member of that name.
func unknownField(p replay.Place) string {
	for root, names := range fields {
		if len(p.Below) > 0 && (p.Cell == root || strings.HasPrefix(p.Cell, root+"/")) && !slices.Contains(names, p.Below[0]) {
			return fmt.Sprintf("%s has no %s; it has %s", root, p.Below[0], strings.Join(names, ", "))
		}
	}
	return ""
}

// Reads lists the pointers that the expression looks at.
func (x *Expr) Reads() []string { return x.reads }

// Cells lists the cells that the expression looks at; all is false where it
// looks at groups of cells as well.
func (x *Expr) Cells() (cells []string, all bool) {
	for _, p := range x.places {
		if p.Cell == "" {
			return nil, false
		}
		cells = append(cells, p.Cell)
	}
	return cells, true
}

// Concerns reports whether a write of a cell can change the outcome.
func (x *Expr) Concerns(cell string) bool {
	for _, p := range x.places {
		if p.Cell == cell || p.Cell == "" && (p.Prefix == "" || cell == p.Prefix || strings.HasPrefix(cell, p.Prefix+"/")) {
			return true
		}
	}
	return false
}

// ReadsTexts reports whether the outcome depends on the texts of files.
func (x *Expr) ReadsTexts() bool {
	for _, p := range x.places {
		inFiles := strings.HasPrefix(p.Cell, model.PathFiles+"/")
		if inFiles && (len(p.Below) == 0 || p.Below[0] == "content") || p.Cell == "" && (p.Prefix == "" || p.Prefix == model.PathFiles) {
			return true
		}
	}
	return false
}

// Holds evaluates the expression. What cannot be evaluated (a member of null)
// does not hold. An expression that needs more than its budget is a
// *SyntaxError; one that does not end is left alone once ctx ends.
func (x *Expr) Holds(ctx context.Context, s *State) (bool, error) {
	d, err := s.document()
	if err != nil {
		return false, err
	}
	if x.loops {
		return x.holdsBeside(ctx, d)
	}
	return x.holds(d)
}

// holdsBeside evaluates on a goroutine of its own: nothing can interrupt it, but
// nobody has to wait for it.
func (x *Expr) holdsBeside(ctx context.Context, d document) (bool, error) {
	type outcome struct {
		holds bool
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		holds, err := x.holds(d)
		done <- outcome{holds, err}
	}()
	select {
	case o := <-done:
		return o.holds, o.err
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

func (x *Expr) holds(d document) (bool, error) {
	out, err := expr.Run(x.program, d)
	switch {
	case err != nil && strings.Contains(err.Error(), "memory budget"):
		return false, &SyntaxError{Reason: "it makes more values than are allowed for one state (1,000,000)"}
	case err != nil:
		return false, nil
	}
	holds, ok := out.(bool)
	if !ok && out != nil {
		return false, &SyntaxError{Reason: fmt.Sprintf("it is neither true nor false but %v", out)}
	}
	return holds, nil
}

// reader collects the paths that an expression reads.
type reader struct {
	paths []string
	loops bool
}

// Visit implements ast.Visitor.
func (r *reader) Visit(node *ast.Node) {
	switch (*node).(type) {
	case *ast.BuiltinNode, *ast.CallNode, *ast.PredicateNode:
		r.loops = true
	}
	if path, _, ok := r.path(*node); ok {
		r.paths = append(r.paths, path)
	}
}

// path is the pointer of a chain of members that begins with a variable, as far
// as its names are written out: whole is false where they are not to its end.
func (r *reader) path(n ast.Node) (pointer string, whole, ok bool) {
	switch n := n.(type) {
	case *ast.IdentifierNode:
		return "/" + n.Value, true, slices.Contains(names, n.Value)
	case *ast.ChainNode:
		return r.path(n.Node)
	case *ast.MemberNode:
		base, whole, ok := r.path(n.Node)
		name, written := n.Property.(*ast.StringNode)
		if !ok || !whole || !written {
			return base, false, ok
		}
		return base + "/" + replay.Escape(name.Value), true, true
	}
	return "", false, false
}

// names are the members of the document.
var names = []string{"status", "context", "files", "shell", "tasks", "pending", "usage", "errors", "checkpoint", "vars"}

// ends keeps of each chain of members the whole of it: the visitor sees every
// beginning of it as well.
func ends(paths []string) []string {
	count := make(map[string]int)
	for _, p := range paths {
		count[p]++
	}
	alone := make(map[string]bool)
	for p, n := range count {
		for longer, m := range count {
			if parent(longer) == p {
				n -= m
			}
		}
		alone[p] = n > 0
	}
	var out []string
	for p, is := range alone {
		if is {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}

func parent(pointer string) string { return pointer[:strings.LastIndexByte(pointer, '/')] }

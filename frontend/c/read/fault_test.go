package read

import (
	"context"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/frontend/c/source"
	"hornbeam/frontend/c/tree"
	"hornbeam/frontend/report"
)

var lexemes = regexp.MustCompile(`[A-Za-z_0-9.]+|"[^"\n]*"|'[^'\n]*'|[^\sA-Za-z_0-9]|\n`)

// A program that is changed at random is read, or there is an error with a place; nothing ever fails inside.
func TestBrokenProgramsAreErrors(t *testing.T) {
	text, err := os.ReadFile("testdata/everything.c")
	require.NoError(t, err)
	tokens := lexemes.FindAllString(string(text), -1)
	rapid.Check(t, func(t *rapid.T) {
		changed := append([]string{}, tokens...)
		for range rapid.IntRange(1, 4).Draw(t, "changes") {
			// Not the lines with #include: headers take most of the time.
			i := rapid.IntRange(14, len(changed)-1).Draw(t, "at")
			switch rapid.IntRange(0, 2).Draw(t, "change") {
			case 0:
				changed = append(changed[:i], changed[i+1:]...)
			case 1:
				changed[i] = rapid.SampledFrom(tokens[14:]).Draw(t, "token")
			case 2:
				changed = append(changed[:i], append([]string{rapid.SampledFrom(tokens[14:]).Draw(t, "token")}, changed[i:]...)...)
			}
		}
		program, err := Program(context.Background(), "test.c", []byte(strings.Join(changed, " ")), source.Options{Model: tree.ILP32})
		if err == nil {
			wellTyped(t, program)
			return
		}
		require.NotContains(t, err.Error(), "internal fault")
		require.NotContains(t, err.Error(), "the parser failed")
		for _, e := range err.(report.Errors) {
			require.Positive(t, e.Pos.Line, err.Error())
		}
	})
}

// wellTyped checks that a program is as package tree promises: operands have the types that the operators want.
func wellTyped(t failer, p *tree.Program) {
	t.Helper()
	same := func(n tree.Node, a, b tree.Type) {
		require.True(t, tree.Same(a, b), "%s: %s and %s in %T", n.Pos(), a, b, n)
	}
	check := func(n tree.Node) bool {
		switch n := n.(type) {
		case *tree.Constant:
			if i, ok := n.T.(*tree.Integer); ok {
				require.Zero(t, i.Wrap(n.Int).Cmp(n.Int), "%s: %s is no %s", n.Position, n.Int, i)
			}
		case *tree.Unary:
			if n.Op != tree.Not {
				same(n, n.T, n.X.Type())
			}
			require.True(t, tree.Scalar(n.X.Type()))
		case *tree.Binary:
			switch {
			case n.Op == tree.Shl || n.Op == tree.Shr:
				same(n, n.T, n.X.Type())
			case n.Op.Comparison():
				same(n, n.X.Type(), n.Y.Type())
			default:
				same(n, n.T, n.X.Type())
				same(n, n.T, n.Y.Type())
			}
		case *tree.Logical:
			require.True(t, tree.Scalar(n.X.Type()) && tree.Scalar(n.Y.Type()), "%s", n.Position)
		case *tree.Conditional:
			require.True(t, tree.Scalar(n.Test.Type()), "%s", n.Position)
			same(n, n.T, n.Else.Type())
			if n.Then != nil {
				same(n, n.T, n.Then.Type())
			}
		case *tree.Assign:
			same(n, n.Place.Type(), n.Value.Type())
		case *tree.Update:
			if _, pointer := n.Compute.(*tree.Pointer); !pointer && n.Op != tree.Shl && n.Op != tree.Shr {
				same(n, n.Compute, n.Operand.Type())
			}
		case *tree.Load:
			require.True(t, complete(n.Type()), "%s: %s", n.Position, n.Type())
		case *tree.Return:
			require.NotNil(t, n)
		case *tree.Call:
			if n.Function != nil && n.Function.Body != nil {
				require.GreaterOrEqual(t, len(n.Arguments), len(n.Function.Params), "%s", n.Position)
				for i, o := range n.Function.Params {
					same(n, o.Type, n.Arguments[i].Type())
				}
			}
		case *tree.Declare:
			wellPlaced(t, n.Object.Type, n.Init)
		case *tree.Goto:
			require.NotNil(t, n.Target)
		case *tree.Break:
			require.NotNil(t, n.Target)
		case *tree.Continue:
			require.NotNil(t, n.Target)
		}
		return true
	}
	for _, f := range p.Functions {
		if f.Body != nil {
			tree.Inspect(f.Body, check)
		}
	}
	for _, o := range p.Globals {
		wellPlaced(t, o.Type, o.Init)
		for _, i := range o.Init {
			if i.Value != nil {
				tree.Inspect(i.Value, check)
			}
		}
	}
	unique := map[string]bool{}
	for _, o := range p.Globals {
		require.False(t, unique[o.Unique], o.Unique)
		unique[o.Unique] = true
	}
}

// wellPlaced checks that the paths of initials lead through an object's type to where they say and to what they fill.
func wellPlaced(t failer, of tree.Type, initials []tree.Initial) {
	t.Helper()
	for _, i := range initials {
		at, part := int64(0), of
		for _, s := range i.Path {
			if s.Field != nil {
				record := part.(*tree.Struct)
				require.Same(t, record, s.Field.Parent)
				require.Same(t, record.Fields[s.Field.Index], s.Field)
				at, part = at+s.Field.Offset, s.Field.Type
				continue
			}
			part = part.(*tree.Array).Elem
			at += s.Index * part.Size()
		}
		require.Equal(t, i.Offset, at)
		require.True(t, tree.Same(i.Type, part), "%s and %s", i.Type, part)
		require.Positive(t, i.Repeat)
		if i.Bytes == nil {
			require.True(t, tree.Same(i.Type, i.Value.Type()), "%s and %s", i.Type, i.Value.Type())
		}
		if i.Field != nil {
			require.Same(t, i.Path[len(i.Path)-1].Field, i.Field)
		}
	}
}

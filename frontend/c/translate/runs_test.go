package translate_test

import (
	"context"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/boogie/ast"
	boogie "hornbeam/frontend/boogie/interpret"
	"hornbeam/frontend/boogie/interpret/interprettest"
	"hornbeam/frontend/c"
	"hornbeam/frontend/c/interpret"
	"hornbeam/frontend/c/lib"
	lowering "hornbeam/frontend/c/lower"
	"hornbeam/frontend/c/machine"
	"hornbeam/frontend/c/origin"
	"hornbeam/frontend/c/translate"
	"hornbeam/frontend/c/tree"
)

// read reads a program.
func read(t require.TestingT, text string, model tree.Model) *tree.Program {
	p, err := c.Read(context.Background(), "test.c", []byte(text), c.Options{Model: model})
	require.NoError(t, err, text)
	return p
}

// translation is a program with its translation, lowered exactly: all integers are bit-vectors, or, if that is exact, too,
// integers.
type translation struct {
	program *tree.Program
	result  *translate.Result
	lowered *lowering.Lowered
}

func lower(t require.TestingT, p *tree.Program, o translate.Options) *translation {
	return lowerAs(t, p, o, lowering.AllVectors)
}

func lowerAs(t require.TestingT, p *tree.Program, o translate.Options, mode lowering.Mode) *translation {
	result, err := translate.Translate(context.Background(), p, o)
	require.NoError(t, err)
	require.NoError(t, machine.Declare(result.Program))
	lowered, err := lowering.Lower(context.Background(), result.Program, lowering.Options{Mode: mode, PointerBits: int(p.Model.PointerBytes * 8)})
	require.NoError(t, err)
	return &translation{p, result, lowered}
}

// dirt is what variables hold that nobody has set: what is in memory is 0.
const dirt = 5

// chosen answers the questions of the run of C, and remembers for each call what it returned.
type chosen struct {
	returns func(call *tree.Call, n int) int64
	source  *origin.Map
	counts  map[tree.Node]int
	named   map[*tree.Object]bool
}

func newChosen(s *origin.Map, returns func(*tree.Call, int) int64) *chosen {
	named := map[*tree.Object]bool{}
	for _, o := range s.Variables {
		if o.Object != nil && o.Region == nil {
			named[o.Object] = true
		}
	}
	return &chosen{returns, s, map[tree.Node]int{}, named}
}

func (c *chosen) Choose(q interpret.Question) (interpret.Value, error) {
	switch q.Asked {
	case interpret.Result:
		if _, ok := q.Type.(*tree.Pointer); ok {
			return interpret.Int(0), nil
		}
		call := q.Node.(*tree.Call)
		n := c.counts[call]
		c.counts[call]++
		return interpret.Int(c.returns(call, n)), nil
	case interpret.Argument:
		return interpret.Int(1), nil
	case interpret.Uninitialised:
		if q.Object != nil && c.named[q.Object] {
			return interpret.Int(dirt), nil
		}
	}
	return interpret.Int(0), nil
}

// answers answers those of the translation's run alike.
type answers struct {
	*interprettest.Random // nothing else is asked
	t                     *translation
	returns               func(call *tree.Call, n int) int64
	counts                map[tree.Node]int
	unspecified           int64 // what C leaves open
}

func (a *answers) Initial(_ *ast.Variable, t ast.Type) (boogie.Value, error) {
	return value(t, big.NewInt(dirt))
}
func (a *answers) Variable(by ast.Stmt, v *ast.Variable, _ ast.Type) (boogie.Value, error) {
	original, ok := a.t.lowered.Origin[by].(*ast.Havoc)
	if !ok {
		return boogie.Default(v.Type)
	}
	for i, e := range a.t.result.Origins.Events[original] {
		if original.Variables[i].Name != v.Name {
			continue
		}
		switch e.Kind {
		case origin.Returned:
			call, ok := e.Node.(*tree.Call)
			if !ok || e.Fresh || call.Function != nil && lib.Meaning(call.Function).Kind != lib.Ordinary {
				break // as the interpreter's answers, 0
			}
			n := a.counts[call]
			a.counts[call]++
			if _, ok := call.T.(*tree.Pointer); ok {
				break
			}
			return value(v.Type, wrap(call.T, a.returns(call, n)))
		case origin.Unspecified, origin.Began:
			return value(v.Type, big.NewInt(a.unspecified))
		case origin.Declared:
			if o := a.t.result.Origins.Named("", v.Name); o != nil && o.Region != nil {
				break
			}
			return value(v.Type, wrap(e.Object.Type, dirt))
		}
	}
	return boogie.Default(v.Type)
}

// wrap is an answer as the interpreter of C takes it.
func wrap(t tree.Type, x int64) *big.Int {
	if i, ok := t.(*tree.Integer); ok {
		if i.Bool {
			return new(big.Int).And(big.NewInt(x), big.NewInt(1))
		}
		return i.Wrap(big.NewInt(x))
	}
	return big.NewInt(x)
}

// value is a number as a value of a type, or a map that has it everywhere.
func value(t ast.Type, x *big.Int) (boogie.Value, error) {
	switch t := t.(type) {
	case *ast.BitVector:
		return boogie.BitVector{Width: t.Width, N: new(big.Int).Mod(x, new(big.Int).Lsh(big.NewInt(1), uint(t.Width)))}, nil
	case *ast.Map:
		v, err := value(t.Range, x)
		return boogie.NewMap(t.Domain[0], v), err
	case ast.Basic:
		if t == ast.Int {
			return boogie.Int{N: x}, nil
		}
	}
	return boogie.Default(t)
}

// execute runs a C program.
func execute(ctx context.Context, source *tree.Program, choices interpret.Choices, o interpret.Options, observe func(interpret.Event)) (interpret.Outcome, error) {
	p, err := interpret.New(source, o)
	if err != nil {
		return interpret.Outcome{}, err
	}
	return p.Run(ctx, choices, observe)
}

// ends are how the two runs ended: "error", "ended", "undefined" or "other".
func (t *translation) run(tt require.TestingT, o interpret.Options, returns func(*tree.Call, int) int64, observe func(interpret.Event)) (source, translated string, detail string) {
	ctx := context.Background()
	outcome, err := execute(ctx, t.program, newChosen(t.result.Origins, returns), o, observe)
	require.NoError(tt, err)
	switch outcome.Kind {
	case interpret.ErrorReached:
		source = "error"
	case interpret.Ended, interpret.AssumptionFailed:
		source = "ended"
	case interpret.Undefined:
		source = "undefined"
	default:
		source = "other"
	}
	run := t.boogie(tt, returns, nil)
	switch run.Kind {
	case boogie.Failed:
		translated = "error"
	case boogie.Finished, boogie.Blocked:
		translated = "ended"
	default:
		translated = "other"
	}
	return source, translated, fmt.Sprintf("C: %s %s\nBoogie: %s", outcome.Kind, outcome.What, run)
}

// boogie runs the translation.
func (t *translation) boogie(tt require.TestingT, returns func(*tree.Call, int) int64, observe func(boogie.Event)) boogie.Outcome {
	return t.boogieWith(tt, 1, returns, observe)
}

// boogieWith runs the translation with a value for what C leaves open.
func (t *translation) boogieWith(tt require.TestingT, unspecified int64, returns func(*tree.Call, int) int64, observe func(boogie.Event)) boogie.Outcome {
	var entry *ast.Procedure
	for _, p := range t.lowered.Program.Procedures {
		if p.Name == t.result.EntryName {
			entry = p
		}
	}
	require.NotNil(tt, entry)
	run, err := boogie.Run(context.Background(), t.lowered.Program, &answers{nil, t, returns, map[tree.Node]int{}, unspecified}, boogie.Options{Entry: entry, Observe: observe})
	require.NoError(tt, err)
	return run
}

// text is the translation, for messages.
func (t *translation) text() string {
	var out strings.Builder
	_ = ast.Print(&out, t.result.Program)
	return out.String()
}

// TestExamples says that the translations of the examples run as the examples do: on some choices for what they leave open,
// both runs fail, or neither does.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob("../../../examples/c/*.c")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	compared := 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		model := c.LP64
		if strings.Contains(string(text), "model: ILP32") {
			model = c.ILP32
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			p, err := c.Read(context.Background(), name, text, c.Options{Model: model})
			require.NoError(t, err)
			tr := lower(t, p, translate.Options{})
			if len(tr.result.Approximations) > 0 {
				return // it has more runs, on purpose
			}
			for _, k := range []int64{0, 1, -1, 7, 100, 255, -1 << 31} {
				source, translated, detail := tr.run(t, interpret.Options{Steps: 100000}, func(_ *tree.Call, n int) int64 { return k + int64(n)*3 }, nil)
				if source == "undefined" || source == "other" || translated == "other" {
					continue
				}
				require.Equal(t, source, translated, "%s\n%s", detail, tr.text())
				compared++
			}
		})
	}
	require.Greater(t, compared, 2*len(files))
}

// TestAssertionsHold says that the translations of the programs that C's interpreter and gcc run to their ends come there, too.
func TestAssertionsHold(t *testing.T) {
	for _, name := range []string{"overflow", "symbols", "lengths", "opaque", "spelling", "flexible", "newer"} {
		text, err := os.ReadFile("../read/testdata/run/" + name + ".c")
		require.NoError(t, err)
		for _, model := range []tree.Model{c.ILP32, c.LP64} {
			tr := lower(t, read(t, string(text), model), translate.Options{})
			require.Empty(t, tr.result.Approximations)
			run := tr.boogie(t, func(*tree.Call, int) int64 { return 0 }, nil)
			require.Equal(t, boogie.Finished, run.Kind, "%s: %s", name, run)
		}
	}
}

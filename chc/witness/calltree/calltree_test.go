package calltree_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/chc/witness/calltree"
	"hornbeam/frontend/smtlib"
	"hornbeam/internal/hornoracle"
)

var update = flag.Bool("update", false, "write the expected texts instead of comparing with them")

// read returns the system and the refutation of a case.
func read(t *testing.T, name string) (*chc.System, *witness.Refutation) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".smt2"))
	require.NoError(t, err)
	script, err := smtlib.Read(name+".smt2", text, term.NewPool())
	require.NoError(t, err)
	proof, err := os.ReadFile(filepath.Join("testdata", name+".proof"))
	require.NoError(t, err)
	_, refutation, err := smtlib.ReadWitness(name+".proof", proof, script)
	require.NoError(t, err)
	require.NoError(t, witness.CheckRefutation(context.Background(), script.System, refutation))
	return script.System, refutation
}

// The text of each case, short and in full, is what testdata has, read by hand; go test -update writes it anew.
func TestTextsAreAsExpected(t *testing.T) {
	cases, err := filepath.Glob("testdata/*.smt2")
	require.NoError(t, err)
	require.Len(t, cases, 9)
	for _, c := range cases {
		name := strings.TrimSuffix(filepath.Base(c), ".smt2")
		t.Run(name, func(t *testing.T) {
			sys, refutation := read(t, name)
			tree, err := calltree.New(sys, refutation)
			require.NoError(t, err)
			for _, full := range []bool{false, true} {
				text, complete := tree.Text(full)
				require.True(t, complete || !full, "what is full is complete")
				require.Equal(t, complete, !strings.Contains(text, "…"), "an ellipsis stands where something is left out")
				file := filepath.Join("testdata", fmt.Sprintf("%s.%s.txt", name, map[bool]string{false: "short", true: "full"}[full]))
				if *update {
					require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
				}
				want, err := os.ReadFile(file)
				require.NoError(t, err)
				require.Equal(t, string(want), text)
			}
		})
	}
}

var (
	shownStep   = regexp.MustCompile(`^ *(?:- )?(?:#\d+ +)?[a-zA-Z]\w*(?:\([^)]*\))?( \[\d+\])? at clause (\d+)`)
	shownRefers = regexp.MustCompile(`, see \[(\d+)\]$`)
)

// On random refutations the full text shows every step with calls exactly once, those without calls at least once, gives
// a label to exactly the steps that are referred to, and numbers chains down to 1; the short text has lines of the full
// one only, apart from where it leaves out.
func TestTheFullTextShowsEveryStepOnce(t *testing.T) {
	refuted := 0
	rapid.Check(t, func(t *rapid.T) {
		shape := hornoracle.DefaultShape()
		sys := hornoracle.Draw(t, shape)
		opts := hornoracle.DefaultOptions()
		opts.Tries = 2000
		refutation := hornoracle.Solve(sys, opts).Refutation()
		if refutation == nil {
			return
		}
		refuted++
		tree, err := calltree.New(sys, refutation)
		require.NoError(t, err)
		text, complete := tree.Text(true)
		require.True(t, complete)
		steps := refutation.Prune().Steps
		// How often each clause is used by steps with calls, and by steps without, apart from the query.
		want, got := map[int]int{}, map[int]int{}
		for _, s := range steps[:len(steps)-1] {
			want[s.Clause.ID]++
		}
		labels, references := map[string]int{}, map[string]bool{}
		number, lines := 0, 0
		for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n")[1:] {
			if strings.HasPrefix(line, "  with ") || strings.HasPrefix(line, "  such that ") {
				continue
			}
			lines++
			if m := regexp.MustCompile(`^ *(?:- )?#(\d+) `).FindStringSubmatch(line); m != nil {
				number, err = strconv.Atoi(m[1])
				require.NoError(t, err)
				require.Positive(t, number)
			}
			if m := shownRefers.FindStringSubmatch(line); m != nil {
				references[m[1]] = true
				continue
			}
			m := shownStep.FindStringSubmatch(line)
			require.NotNil(t, m, "%s in\n%s", line, text)
			if m[1] != "" {
				labels[strings.Trim(m[1], " []")]++
			}
			clause, err := strconv.Atoi(m[2])
			require.NoError(t, err)
			got[clause]++
		}
		for clause, n := range want {
			if len(sys.Clauses[clause].Body) > 0 {
				require.Equal(t, n, got[clause], "clause %d in\n%s", clause, text)
			} else {
				require.GreaterOrEqual(t, got[clause], n, text)
			}
		}
		calls := len(steps[len(steps)-1].Clause.Body)
		for clause, n := range got {
			calls += n * len(sys.Clauses[clause].Body)
		}
		require.Equal(t, calls, lines, "every call has a line: %s", text)
		require.Len(t, labels, len(references), text)
		for l := range references {
			require.Equal(t, 1, labels[l], text)
		}
	})
	t.Logf("%d refutations", refuted)
	require.Positive(t, refuted)
}

// The document is the whole tree: from the query down, each step with its clause, its values and its calls, which come
// later.
func TestTheDocumentIsComplete(t *testing.T) {
	sys, refutation := read(t, "calls")
	tree, err := calltree.New(sys, refutation)
	require.NoError(t, err)
	b, err := json.Marshal(tree.Document())
	require.NoError(t, err)
	var d calltree.Document
	require.NoError(t, json.Unmarshal(b, &d))
	require.Equal(t, "trace", d.Kind)
	require.Len(t, d.Steps, len(refutation.Steps))
	require.Empty(t, d.Steps[0].Predicate)
	for i, s := range d.Steps {
		of := refutation.Steps[len(refutation.Steps)-1-i]
		require.Equal(t, of.Clause.ID, s.Clause)
		require.Equal(t, of.Clause.Pos, chc.Position{File: s.File, Line: s.Line, Column: s.Column})
		require.Len(t, s.Calls, len(of.Premises))
		for k, c := range s.Calls {
			require.Greater(t, c, i)
			require.Equal(t, of.Clause.Body[k].Pred.Name, d.Steps[c].Predicate)
		}
		values, err := witness.HeadValues(sys.Pool, of)
		require.NoError(t, err)
		require.Len(t, s.Arguments, len(values))
		for k, v := range values {
			require.Equal(t, v.String(), s.Arguments[k].Value)
		}
	}
	named := slices.IndexFunc(d.Steps, func(s calltree.StepDocument) bool { return s.Predicate == "main" })
	require.Equal(t, "i", d.Steps[named].Arguments[0].Name)
}

// A wrong refutation is an error, never a panic.
func TestWrongRefutationsAreErrors(t *testing.T) {
	sys, refutation := read(t, "calls")
	for name, spoil := range map[string]func(r *witness.Refutation){
		"no steps":        func(r *witness.Refutation) { r.Steps = nil },
		"no query":        func(r *witness.Refutation) { r.Steps = r.Steps[:1] },
		"no value":        func(r *witness.Refutation) { r.Steps[len(r.Steps)-1].Values = nil },
		"no premises":     func(r *witness.Refutation) { r.Steps[len(r.Steps)-1].Premises = nil },
		"a later premise": func(r *witness.Refutation) { r.Steps[len(r.Steps)-1].Premises = []int{99, 99} },
		"no clause":       func(r *witness.Refutation) { r.Steps[len(r.Steps)-2].Clause = nil },
	} {
		broken := &witness.Refutation{Steps: append([]witness.Step(nil), refutation.Steps...)}
		spoil(broken)
		_, err := calltree.New(sys, broken)
		require.Error(t, err, name)
	}
}

// Chains are as long as the memory allows, and short in the text.
func TestALongChainIsFolded(t *testing.T) {
	p := term.NewPool()
	loop := &chc.Predicate{Name: "loop", Sorts: []*term.Sort{term.Int}}
	i := p.Var("i", term.Int)
	at := func(x *term.Term) chc.App { return chc.App{Pred: loop, Args: []*term.Term{x}} }
	head, start := at(p.Add(i, p.Int(1))), at(p.Int(0))
	sys := &chc.System{Pool: p, Predicates: []*chc.Predicate{loop}, Clauses: []*chc.Clause{
		{ID: 0, Constraint: p.True(), Head: &start}, {ID: 1, Constraint: p.True(), Body: []chc.App{at(i)}, Head: &head},
		{ID: 2, Constraint: p.True(), Body: []chc.App{at(i)}},
	}}
	const turns = 50000
	r := &witness.Refutation{Steps: []witness.Step{{Clause: sys.Clauses[0]}}}
	for n := range turns + 1 {
		c := sys.Clauses[1]
		if n == turns {
			c = sys.Clauses[2]
		}
		r.Steps = append(r.Steps, witness.Step{Clause: c, Premises: []int{n}, Values: map[*term.Term]term.Value{i: term.NumValue(term.NewInt(int64(n)), term.Int)}})
	}
	tree, err := calltree.New(sys, r)
	require.NoError(t, err)
	text, complete := tree.Text(false)
	require.False(t, complete)
	require.Equal(t, 9, strings.Count(text, "\n"), text)
	require.Contains(t, text, "… 49994 steps, #49998 to #5\n")
	text, complete = tree.Text(true)
	require.True(t, complete)
	require.Equal(t, turns+2, strings.Count(text, "\n"))
	require.NotContains(t, text, "\n    ")
}

// A tree of a thousand different calls is cut, in full it is not.
func TestABushyTreeIsCut(t *testing.T) {
	p := term.NewPool()
	span := &chc.Predicate{Name: "span", Sorts: []*term.Sort{term.Int, term.Int}}
	x, y, z := p.Var("x", term.Int), p.Var("y", term.Int), p.Var("z", term.Int)
	at := func(x, y *term.Term) chc.App { return chc.App{Pred: span, Args: []*term.Term{x, y}} }
	leaf, both := at(x, p.Add(x, p.Int(1))), at(x, z)
	sys := &chc.System{Pool: p, Predicates: []*chc.Predicate{span}, Clauses: []*chc.Clause{
		{ID: 0, Constraint: p.True(), Head: &leaf}, {ID: 1, Constraint: p.True(), Body: []chc.App{at(x, y), at(y, z)}, Head: &both},
		{ID: 2, Constraint: p.True(), Body: []chc.App{at(x, y)}},
	}}
	b := witness.NewRefutationBuilder(p)
	number := func(n int) term.Value { return term.NumValue(term.NewInt(int64(n)), term.Int) }
	var build func(from, to int) int
	build = func(from, to int) int {
		if to-from == 1 {
			return b.Add(sys.Clauses[0], map[*term.Term]term.Value{x: number(from)}, nil)
		}
		middle := (from + to) / 2
		values := map[*term.Term]term.Value{x: number(from), y: number(middle), z: number(to)}
		return b.Add(sys.Clauses[1], values, []int{build(from, middle), build(middle, to)})
	}
	const leaves = 512
	all := build(0, leaves)
	refutation := b.Refutation(b.Add(sys.Clauses[2], map[*term.Term]term.Value{x: number(0), y: number(leaves)}, []int{all}))
	require.NoError(t, witness.CheckRefutation(context.Background(), sys, refutation))
	tree, err := calltree.New(sys, refutation)
	require.NoError(t, err)
	text, complete := tree.Text(false)
	require.False(t, complete)
	require.Contains(t, text, "- … its calls are left out\n")
	require.Less(t, strings.Count(text, "\n"), 400)
	text, complete = tree.Text(true)
	require.True(t, complete)
	require.Equal(t, 1+2*leaves-1, strings.Count(text, "\n"))
}

// A tall chain of steps that need the same call twice has a line for each of the two calls; and an argument does not get
// the name of one before it.
func TestACallThatIsNeededTwiceIsShownTwice(t *testing.T) {
	text := `(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (forall ((n Int)) (=> (= n 0) (p n n))))
(assert (forall ((n Int)) (=> (and (p n n) (p n n)) (p (+ n 1) (+ n 1)))))
(assert (=> (p 20 20) false))
`
	script, err := smtlib.Read("twice.smt2", []byte(text), term.NewPool())
	require.NoError(t, err)
	var proof strings.Builder
	proof.WriteString("unsat\n(refutation\n(step 0 (clause 0) (values (n 0)) (premises))\n")
	for n := range 20 {
		fmt.Fprintf(&proof, "(step %d (clause 1) (values (n %d)) (premises %d %d))\n", n+1, n, n, n)
	}
	proof.WriteString("(step 21 (clause 2) (values) (premises 20)))\n")
	_, refutation, err := smtlib.ReadWitness("proof", []byte(proof.String()), script)
	require.NoError(t, err)
	tree, err := calltree.New(script.System, refutation)
	require.NoError(t, err)
	shown, _ := tree.Text(true)
	require.Equal(t, 1+1+2*20, strings.Count(shown, "\n"), shown)
	require.Contains(t, shown, "p(n = 20, 20) at twice.smt2:4:1\n")
}

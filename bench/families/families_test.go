package families

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/engine/inline"
	"hornbeam/frontend/smtlib"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
	"hornbeam/spacer"
)

func text(t require.TestingT, f Family, p Parameters) string {
	var b strings.Builder
	require.NoError(t, f.Write(&b, p))
	return b.String()
}

func read(t require.TestingT, text string) *chc.System {
	script, err := smtlib.Read("family.smt2", []byte(text), term.NewPool())
	require.NoError(t, err, text)
	return script.System
}

// clauses are the families of Horn clauses.
func clauses() []Family {
	return slices.DeleteFunc(All(), func(f Family) bool { return f.Language != Horn })
}

// drawn are small parameters of a family, so small that every engine is done at once.
func drawn(t *rapid.T) (Family, Parameters) {
	f := rapid.SampledFrom(clauses()).Draw(t, "family")
	return f, Parameters{
		Size: rapid.IntRange(1, 4).Draw(t, "size"), Width: rapid.IntRange(1, 3).Draw(t, "width"),
		Relevant: rapid.IntRange(1, 3).Draw(t, "relevant"), Irrelevant: rapid.IntRange(0, 3).Draw(t, "irrelevant"),
		Seed: rapid.Uint64Range(0, 1000).Draw(t, "seed"),
	}
}

// The prover and the hunter find the verdict that an instance is said to have, with a witness that passes its check, on
// the clauses as the text has them.
func TestVerdicts(t *testing.T) {
	verdict := map[bool]engine.Verdict{false: engine.Sat, true: engine.Unsat}
	rapid.Check(t, func(t *rapid.T) {
		f, p := drawn(t)
		p.Bug = rapid.Bool().Draw(t, "bug")
		e := rapid.SampledFrom([]engine.Engine{spacer.Engine(), inline.Engine(), inline.BMC()}).Draw(t, "engine")
		if e.Name == "bmc" {
			p.Size, p.Width = min(p.Size, 3), min(p.Width, 2)
		}
		source := text(t, f, p)
		require.Contains(t, source, "\n; verdict: "+f.Verdict(p.Bug)+"\n")
		sys := read(t, source)
		answer, err := e.Solve(context.Background(), sys, engine.Settings{Open: z3.Open, Stats: engine.NewStats()})
		require.NoError(t, err)
		require.Equal(t, verdict[p.Bug], answer.Verdict, "%s: %s\n%s", e.Name, answer.Reason, source)
		if p.Bug {
			require.NoError(t, witness.CheckRefutation(context.Background(), sys, answer.Refutation))
		} else {
			require.NoError(t, witness.CheckModel(context.Background(), z3.Open, sys, answer.Model, smt.Limit{}))
		}
	})
}

// The two sides of an instance are the same text but for the verdict and one clause, and the same parameters give the
// same text again.
func TestTwinsDifferInTheFaultOnly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, p := drawn(t)
		safe := text(t, f, p)
		require.Equal(t, safe, text(t, f, p))
		p.Bug = true
		a, b := strings.Split(safe, "\n"), strings.Split(text(t, f, p), "\n")
		require.Len(t, b, len(a))
		var different []string
		for i, line := range a {
			if line != b[i] {
				different = append(different, line)
			}
		}
		require.Len(t, different, 2)
		require.Equal(t, "; verdict: sat", different[0])
		require.True(t, strings.HasPrefix(different[1], "(assert "), different[1])
	})
}

// A seed chooses other places in the families that have any to choose.
func TestSeeds(t *testing.T) {
	for _, f := range clauses() {
		p := f.Sized(6, true)
		first := strings.Split(text(t, f, p), "\n")[3:]
		p.Seed++
		second := strings.Split(text(t, f, p), "\n")[3:]
		fixed := slices.Contains([]string{"loop", "phases", "nested", "recursion"}, f.Name)
		require.Equal(t, fixed, slices.Equal(first, second), f.Name)
	}
}

// An instance grows by as many clauses a level, whatever the size: what explodes is inlining, not the text.
func TestTheTextGrowsWithTheSize(t *testing.T) {
	for _, f := range clauses() {
		count := func(size int) int { return len(read(t, text(t, f, f.Sized(size, false))).Clauses) }
		require.Equal(t, count(20)-count(10), count(30)-count(20), f.Name)
	}
}

func TestEveryGlobalIsPassedAlong(t *testing.T) {
	f, err := Named("locks")
	require.NoError(t, err)
	p := f.Sized(3, false)
	p.Relevant, p.Irrelevant = 2, 5
	for _, q := range read(t, text(t, f, p)).Predicates {
		switch {
		case strings.HasPrefix(q.Name, "work"):
			require.Equal(t, 2*7, q.Arity())
		case strings.HasPrefix(q.Name, "service"):
			require.Equal(t, 2*6, q.Arity(), "a request and what is irrelevant")
		}
	}
}

func TestNamedAndRanges(t *testing.T) {
	for _, f := range All() {
		g, err := Named(f.Name)
		require.NoError(t, err)
		require.Equal(t, f.Doc, g.Doc)
		require.True(t, strings.HasSuffix(f.Doc, "."))
	}
	_, err := Named("towers")
	require.ErrorContains(t, err, "towers")
	for _, p := range []Parameters{{Width: 1, Relevant: 1}, {Size: 1, Relevant: 1}, {Size: 1, Width: 1}, {Size: 1, Width: 1, Relevant: 1, Irrelevant: -1}} {
		require.Error(t, All()[0].Write(&strings.Builder{}, p))
	}
	require.ErrorContains(t, locks.Write(broken{}, locks.Sized(1, false)), "locks")
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("full") }

// The examples that are instances of families are what the generators write.
func TestExamplesAreInstances(t *testing.T) {
	sized := func(f Family, size int, bug bool, change func(*Parameters)) string {
		p := f.Sized(size, bug)
		if change != nil {
			change(&p)
		}
		return text(t, f, p)
	}
	narrow := func(p *Parameters) { p.Width = 3 }
	globals := func(p *Parameters) { p.Irrelevant = 3 }
	for name, want := range map[string]string{
		"call-tree":             sized(callTree, 4, false, narrow),
		"call-tree-bug":         sized(callTree, 4, true, narrow),
		"dispatch-bug":          sized(dispatch, 3, true, func(p *Parameters) { p.Width = 2 }),
		"lock-protocol":         sized(locks, 3, false, globals),
		"lock-protocol-bug":     sized(locks, 3, true, globals),
		"tree-recursion":        sized(recursion, 5, false, nil),
		"polling":               sized(polling, 6, false, nil),
		"nested-procedures-bug": sized(nested, 4, true, nil),
		"up-and-down":           sized(phases, 12, false, nil),
		"counting-bug":          sized(loop, 12, true, nil),
	} {
		got, err := os.ReadFile("../../examples/" + name + ".smt2")
		require.NoError(t, err)
		require.Equal(t, want, string(got), name)
	}
}

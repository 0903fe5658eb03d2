package session

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/smtlib"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// request decides with one engine.
func request(sys *chc.System) portfolio.Request {
	return portfolio.Request{System: sys, Engine: "spacer", Check: true, Open: z3.Open, Stats: engine.NewStats()}
}

func requireWitness(t require.TestingT, sys *chc.System, a engine.Answer) {
	switch a.Verdict {
	case engine.Sat:
		require.NoError(t, witness.CheckModel(context.Background(), z3.Open, sys, a.Model, smt.Limit{}))
	case engine.Unsat:
		require.NoError(t, witness.CheckRefutation(context.Background(), sys, a.Refutation))
	default:
		require.Fail(t, a.Reason)
	}
}

// Whatever is asserted, dropped and checked in between, an answer with what is remembered is that without, and its witness holds.
func TestWhatIsRememberedChangesNoAnswer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		script := smtlib.NewIncremental("f")
		memory := new(Memory)
		command := func(format string, args ...any) {
			require.NoError(t, script.Command([]byte(fmt.Sprintf("\n"+format, args...))))
		}
		command("(declare-fun p (Int Bool) Bool)(declare-fun q (Int) Bool)")
		number := rapid.IntRange(-2, 4)
		for range rapid.IntRange(1, 14).Draw(t, "commands") {
			switch rapid.SampledFrom([]string{"fact", "step", "other", "query", "push", "pop", "check", "check"}).Draw(t, "command") {
			case "fact":
				command("(assert (p %d %v))", number.Draw(t, "n"), rapid.Bool().Draw(t, "b"))
			case "step":
				command("(assert (forall ((x Int) (b Bool)) (=> (and (p x b) (< x 5)) (p (+ x %d) (not b)))))", rapid.IntRange(1, 2).Draw(t, "n"))
			case "other":
				command("(assert (forall ((x Int) (y Int)) (=> (and (p x true) (p y false) (< x y)) (q (+ x %d)))))", number.Draw(t, "n"))
			case "query":
				command("(assert (forall ((x Int)) (=> (and (%s) (= x %d)) false)))", rapid.SampledFrom([]string{"p x true", "q x"}).Draw(t, "p"), number.Draw(t, "n"))
			case "push":
				script.Push(1)
			case "pop":
				script.Pop(1)
			case "check":
				s, err := script.Script()
				require.NoError(t, err)
				a := memory.Solve(context.Background(), s, request(s.System))
				requireWitness(t, s.System, a)
				require.Equal(t, portfolio.Solve(context.Background(), request(s.System)).Verdict, a.Verdict)
			}
		}
	})
}

// states returns the scripts of an incremental script after each of the commands.
func states(t *testing.T, commands ...string) []*smtlib.Script {
	t.Helper()
	script := smtlib.NewIncremental("f")
	var out []*smtlib.Script
	for _, c := range commands {
		switch c {
		case "push":
			script.Push(1)
			continue
		case "pop":
			require.True(t, script.Pop(1))
			continue
		}
		require.NoError(t, script.Command([]byte(c)))
		s, err := script.Script()
		require.NoError(t, err)
		out = append(out, s)
	}
	return out
}

const counter = "(declare-fun p (Int) Bool)\n(assert (p 0))(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))"

// A model is the answer to clauses that it satisfies too, and a refutation to those that have its clauses: no engine is asked.
func TestWitnessesAreUsedAgain(t *testing.T) {
	s := states(t, counter, "push", "(assert (=> (p (- 1)) false))", "(assert (=> (p (- 3)) false))", "pop",
		"push", "(assert (=> (p 2) false))", "(declare-fun q () Bool)(assert q)")
	broken := request(nil)
	broken.Engine = "none"
	ask := func(m *Memory, script *smtlib.Script, req portfolio.Request) engine.Answer {
		req.System = script.System
		return m.Solve(context.Background(), script, req)
	}
	memory := new(Memory)
	require.Equal(t, engine.Unknown, ask(memory, s[1], broken).Verdict)
	require.Equal(t, engine.Sat, ask(memory, s[1], request(nil)).Verdict)
	for _, script := range []*smtlib.Script{s[1], s[0], s[2]} {
		a := ask(memory, script, broken)
		require.Equal(t, engine.Sat, a.Verdict)
		requireWitness(t, script.System, a)
	}
	require.Equal(t, engine.Unknown, ask(memory, s[3], broken).Verdict)
	require.Equal(t, engine.Unsat, ask(memory, s[3], request(nil)).Verdict)
	again := ask(memory, s[4], broken)
	require.Equal(t, engine.Unsat, again.Verdict)
	requireWitness(t, s[4].System, again)
}

// What a refutation derived is a fact of clauses without its query, and a refutation with facts becomes one without.
func TestDerivedFactsAreUsedAgain(t *testing.T) {
	s := states(t, counter, "push", "(assert (=> (p 7) false))", "pop", "(assert (forall ((x Int)) (=> (and (p x) (> x 8)) false)))")
	memory := new(Memory)
	require.Equal(t, engine.Unsat, memory.Solve(context.Background(), s[1], request(s[1].System)).Verdict)
	known := memory.carriedRefutation(s[2])
	require.Len(t, known.Steps, 8)
	with, back, err := factsPass(known).Run(context.Background(), transform.Environment{}, s[2].System)
	require.NoError(t, err)
	require.Len(t, with.Clauses, len(s[2].System.Clauses)+8)
	a := portfolio.Solve(context.Background(), request(with))
	require.Equal(t, engine.Unsat, a.Verdict)
	require.Less(t, len(a.Refutation.Steps), 10)
	ref, err := back.Refutation(context.Background(), a.Refutation)
	require.NoError(t, err)
	require.NoError(t, witness.CheckRefutation(context.Background(), s[2].System, ref))
	require.Len(t, ref.Steps, 11)
}

// The conjuncts of a model are candidates where it is no model any more.
func TestLemmasAreCandidates(t *testing.T) {
	s := states(t, counter, "(assert (=> (p (- 1)) false))", "(assert (forall ((x Int)) (=> (and (p x) (= x (- 7))) false)))")
	memory := new(Memory)
	require.Equal(t, engine.Sat, memory.Solve(context.Background(), s[1], request(s[1].System)).Verdict)
	model := memory.carriedModel(s[2])
	p := s[2].Declared[0]
	found := candidates(s[2], model)
	require.NotEmpty(t, found[p])
	zero := map[*term.Term]*term.Term{witness.CanonicalParams(s[2].System.Pool, p)[0]: s[2].System.Pool.Int(0)}
	for _, c := range found[p] {
		require.True(t, s[2].System.Pool.Substitute(c, zero).IsTrue(), "%s holds at the start", c)
	}
}

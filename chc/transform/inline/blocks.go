package inline

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/simplify"
)

// Blocks returns the pass inline with a block operator of adjustable-block encoding (Beyer, Dangl and Wendler) in the place of its
// bounds: it resolves away every predicate but those of a kind, so that each clause is a block. The kinds are the heads of loops
// ("loops"), these and predicates with several definitions, where runs meet ("basic"), and, for a number, the heads of loops and every
// predicate without which a clause would have more atoms than that, before parallel clauses are merged. It stops
// all the same where clauses would grow beyond any use. The error is for another word.
func Blocks(word string) (transform.Pass, error) {
	b := blocks{Options: Options{MaxBody: math.MaxInt32, MaxClause: 1 << 20, Growth: 1 << 10, Total: 1 << 10, TotalBase: 1 << 20}}
	switch atoms, err := strconv.Atoi(word); {
	case word == "loops":
	case word == "basic":
		b.joins = true
	case err == nil && atoms > 0:
		b.MaxAtoms = atoms
	default:
		return transform.Pass{}, fmt.Errorf("no blocks are called %q: choose auto, single, basic, loops or a number of atoms", word)
	}
	pass := With(b.Options)
	// What was kept as a join need not be one any more after a merge.
	pass.Repeat, pass.Run = false, b.run
	return pass, nil
}

// blocks is a block operator.
type blocks struct {
	Options
	// joins says that predicates with several definitions are kept.
	joins bool
}

// run resolves predicates away while that does not make more clauses, and merges parallel ones to one whose constraint is a
// disjunction; when nothing is left to do, it takes the one predicate that makes the fewest clauses, and goes on. So what meets and
// parts again several times in a row is not multiplied.
func (b blocks) run(ctx context.Context, env transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
	if b.joins {
		b.Keep = heads(sys)
		for p, definitions := range chc.NewGraph(sys).Defines {
			b.Keep[sys.Predicates[p]] = b.Keep[sys.Predicates[p]] || len(definitions) > 1
		}
		return runInline(ctx, env, sys, b.Options)
	}
	next, back := sys, transform.Composition(nil)
	round := func(slack, most int) (changed bool, err error) {
		b.Slack, b.Most, b.Keep = slack, most, heads(next)
		for _, pass := range []transform.Pass{With(b.Options), simplify.Merge()} {
			made, translator, err := pass.Run(ctx, env, next)
			if err != nil {
				return false, err
			}
			if made != next {
				next, back, changed = made, append(back, translator), true
			}
		}
		return changed, nil
	}
	for changed := true; changed; {
		var err error
		if changed, err = round(0, 0); err == nil && !changed {
			changed, err = round(math.MaxInt32, 1)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	if next == sys {
		return sys, nil, nil
	}
	return next, back, nil
}

// heads are the heads of a system's loops.
func heads(sys *chc.System) map[*chc.Predicate]bool {
	heads := map[*chc.Predicate]bool{}
	for _, p := range chc.NewGraph(sys).CutPoints() {
		heads[p] = true
	}
	return heads
}

// atoms is the number of atoms of a formula, each counted once.
func atoms(f *term.Term) int {
	n := 0
	seen := map[*term.Term]bool{}
	term.Walk(f, func(t *term.Term) bool {
		if seen[t] || !t.IsBool() || t.IsValue() {
			return false
		}
		seen[t] = true
		switch t.Op() {
		case term.Not, term.And, term.Or, term.Ite:
			return true
		case term.Eq:
			if t.Arg(0).IsBool() {
				return true
			}
		}
		n++
		return false
	})
	return n
}

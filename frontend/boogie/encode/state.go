package encode

import (
	"fmt"
	"maps"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/frontend/boogie/ast"
)

// state is what is known at one moment of the runs of a region.
type state struct {
	// now and entry have the values of variables at this moment, and those of globals when the procedure was entered.
	now, entry map[*ast.Variable]*term.Term
	// facts hold of these values; atoms are what they were derived from: the cut point where the region begins, and the
	// summaries of calls.
	facts []*term.Term
	atoms []chc.App
	// universals are assumptions that hold for all values of some variables.
	universals []*universal
	// pool has the terms that were put into pools.
	pool []put
	// dead says that no run reaches this point.
	dead bool
	// redundant says that what is being assumed follows from what is checked elsewhere, so that nothing is lost when
	// instances of it are left out.
	redundant bool
}

func (s *state) clone() *state {
	return &state{
		now: maps.Clone(s.now), entry: s.entry, facts: slices.Clip(s.facts), atoms: slices.Clip(s.atoms),
		universals: slices.Clip(s.universals), pool: slices.Clip(s.pool), dead: s.dead,
	}
}

func (s *state) assume(f *term.Term) {
	if f.IsFalse() {
		s.dead = true
	}
	if !f.IsTrue() {
		s.facts = append(s.facts, f)
	}
}

func (s *state) constraint(e *encoder) *term.Term { return e.pool.And(s.facts...) }

// argument is the value that an argument of a predicate has in the state.
func (s *state) argument(e *encoder, a Argument) *term.Term {
	var t *term.Term
	switch {
	case a.When == Always:
		return e.symbols.value(a)
	case a.When == AtEntry && a.Variable.Kind == ast.Global:
		t = s.entry[a.Variable]
	default:
		t = s.now[a.Variable]
	}
	if t == nil {
		panic(fmt.Sprintf("the variable %s has no value where one is needed", a.Variable.Name))
	}
	return t
}

func (s *state) atom(e *encoder, p *chc.Predicate) chc.App {
	app := chc.App{Pred: p}
	for _, a := range e.encoding.Meanings[p].Arguments {
		app.Args = append(app.Args, s.argument(e, a))
	}
	return app
}

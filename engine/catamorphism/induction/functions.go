package induction

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/internal/smt"
)

// function is a predicate that was recognised as a function of some of its arguments, or as a computable relation: its
// clauses are a definition by structural recursion.
type function struct {
	pred *chc.Predicate
	// output is the position of the result, -1 for a relation, whose function yields a Boolean.
	output int
	// order are the positions of the function's arguments, the one of the recursion first.
	order []int
	fn    *term.Func
}

// recognise finds the predicates whose clauses define functions by structural recursion: the last one of append's
// arguments, say, from the others. Where a predicate is its function's graph is checked: each of its clauses must hold.
func (pr *Prover) recognise(ctx context.Context) error {
	for _, p := range pr.sys.Predicates {
		pr.model.Interpretations[p] = pr.fallback(p)
	}
	for _, group := range chc.NewGraph(pr.sys).Components() {
		if slices.ContainsFunc(group, pr.known) {
			continue
		}
		if err := pr.group(ctx, group); err != nil {
			return err
		}
	}
	return nil
}

// known reports whether what is to be known of a predicate is said by its invariants: that arguments are equal, or that they differ where
// it does not recur.
func (pr *Prover) known(p *chc.Predicate) bool {
	invariants := pr.invariants[p.ID]
	if p.Arity() == 0 || slices.ContainsFunc(invariants, func(t *term.Term) bool { return t.Op() == term.Eq }) {
		return true
	}
	recurs := func(c *chc.Clause) bool {
		return c.Head != nil && c.Head.Pred == p && slices.ContainsFunc(c.Body, func(a chc.App) bool { return a.Pred == p })
	}
	return len(invariants) > 0 && !slices.ContainsFunc(pr.sys.Clauses, recurs)
}

// fallback interprets a predicate that is no function: by its invariants, and by false when it has neither arguments nor
// anything else to say.
func (pr *Prover) fallback(p *chc.Predicate) witness.Interpretation {
	if p.Arity() == 0 {
		return witness.False(pr.sys.Pool, p)
	}
	return witness.Interpretation{Params: witness.CanonicalParams(pr.sys.Pool, p), Body: pr.sys.Pool.And(pr.invariants[p.ID]...)}
}

// group tries the ways to read the predicates of a component as functions, and keeps the first that is right: total
// functions before those whose clauses leave inputs out, which are often the inverses of others.
func (pr *Prover) group(ctx context.Context, group []*chc.Predicate) error {
	choices := [][]*function{{}}
	for _, p := range group {
		var longer [][]*function
		for _, c := range choices {
			for _, f := range pr.readings(p, len(group) == 1) {
				longer = append(longer, append(slices.Clone(c), f))
			}
		}
		if choices = longer; len(choices) > pr.options.Readings {
			return nil
		}
	}
	for _, total := range []bool{true, false} {
		for _, c := range choices {
			if !total && slices.ContainsFunc(c, func(f *function) bool { return len(pr.invariants[f.pred.ID]) > 0 }) {
				continue
			}
			ok, err := pr.try(ctx, c, total)
			if err != nil || ok {
				return err
			}
		}
	}
	return nil
}

// readings lists the functions that a predicate may be: functions before relations, the last argument as the result
// before others, recursion on a datatype before that on a number, which is for predicates alone where there is a datatype.
// Of a predicate with invariants, what it relates differs: it is a function, or is known by that.
func (pr *Prover) readings(p *chc.Predicate, alone bool) []*function {
	var out []*function
	for output := p.Arity() - 1; output >= -1; output-- {
		if output < 0 && (p.Arity() == 0 || len(pr.invariants[p.ID]) > 0) || output >= 0 && p.Arity() == 1 {
			continue
		}
		var structural, numeric []*function
		for first, s := range p.Sorts {
			if first == output || s.Data == nil && s != term.Int {
				continue
			}
			f := &function{pred: p, output: output, order: []int{first}}
			for k := range p.Sorts {
				if k != first && k != output {
					f.order = append(f.order, k)
				}
			}
			if s == term.Int {
				numeric = append(numeric, f)
			} else {
				structural = append(structural, f)
			}
		}
		if alone || len(structural) == 0 {
			structural = append(structural, numeric...)
		}
		out = append(out, structural...)
	}
	return out
}

// try reads the functions together, and keeps them when that is right.
func (pr *Prover) try(ctx context.Context, fs []*function, total bool) (bool, error) {
	before := len(pr.model.Definitions)
	for _, f := range fs {
		domain := make([]*term.Sort, len(f.order))
		for i, k := range f.order {
			domain[i] = f.pred.Sorts[k]
		}
		rng := term.Bool
		if f.output >= 0 {
			rng = f.pred.Sorts[f.output]
		}
		f.fn = witness.NewFunction(pr.sys, f.pred.Name+"-of", domain, rng)
		pr.functions[f.pred] = f
	}
	ok, err := pr.right(ctx, fs, total)
	if !ok || err != nil {
		pr.model.Definitions = pr.model.Definitions[:before]
		for _, f := range fs {
			delete(pr.functions, f.pred)
			pr.model.Interpretations[f.pred] = pr.fallback(f.pred)
		}
		return false, err
	}
	return true, nil
}

// right defines the functions and reports whether they are well defined, their predicates' clauses hold, and, when total
// asks for that, a clause applies to each input in which what counts is not negative.
func (pr *Prover) right(ctx context.Context, fs []*function, total bool) (bool, error) {
	p := pr.sys.Pool
	var clauses []*chc.Clause
	all := counting{} // what the functions' clauses compare with constants
	for _, f := range fs {
		def, somewhere, ok := pr.define(f)
		if !ok {
			return false, nil
		}
		own := compared(p, def, somewhere)
		maps.Copy(all, own)
		if total && f.output >= 0 {
			left := []*term.Term{p.Not(somewhere)}
			counts := findCounting(p, []witness.Definition{def}, own)
			for i, x := range def.Params {
				if counts[place{f.fn, i}] {
					left = append(left, p.Ge(x, p.Int(0)))
				}
			}
			if status, err := pr.check(ctx, left...); err != nil || status != smt.Unsat {
				return false, err
			}
		}
		pr.model.Definitions = append(pr.model.Definitions, def)
		params := witness.CanonicalParams(p, f.pred)
		pr.model.Interpretations[f.pred] = witness.Interpretation{Params: params, Body: f.says(p, params)}
		for _, c := range pr.sys.Clauses {
			if c.Head != nil && c.Head.Pred == f.pred {
				clauses = append(clauses, c)
			}
		}
	}
	ok, err := pr.holds(ctx, pr.model, clauses, pr.limit())
	if ok {
		maps.Copy(pr.compared, all)
	}
	return ok, err
}

// says is what the function says about arguments of its predicate.
func (f *function) says(p *term.Pool, args []*term.Term) *term.Term {
	if f.output < 0 {
		return f.value(p, args)
	}
	return p.Eq(args[f.output], f.value(p, args))
}

// value is the function at the inputs among arguments of its predicate.
func (f *function) value(p *term.Pool, args []*term.Term) *term.Term {
	in := make([]*term.Term, len(f.order))
	for i, k := range f.order {
		in[i] = args[k]
	}
	return p.Apply(f.fn, in...)
}

// holds reports whether the model makes the clauses valid.
func (pr *Prover) holds(ctx context.Context, m *witness.Model, clauses []*chc.Clause, limit smt.Limit) (bool, error) {
	part := &chc.System{Pool: pr.sys.Pool, Predicates: pr.sys.Predicates, Clauses: clauses, Datatypes: pr.sys.Datatypes}
	err := witness.CheckModel(ctx, pr.open, part, m, limit)
	if errors.Is(err, witness.ErrInvalid) || errors.Is(err, witness.ErrUndecided) {
		return false, ctx.Err()
	}
	return err == nil, err
}

// define reads the clauses of a function's predicate as its cases. somewhere says for which inputs there is a case.
func (pr *Prover) define(f *function) (def witness.Definition, somewhere *term.Term, ok bool) {
	p := pr.sys.Pool
	params := make([]*term.Term, len(f.order))
	inputs := map[int]*term.Term{}
	for i, k := range f.order {
		params[i] = p.Var(fmt.Sprint("x", i), f.pred.Sorts[k])
		inputs[k] = params[i]
	}
	type branch struct{ test, value *term.Term }
	var branches []branch
	for _, c := range pr.sys.Clauses {
		if c.Head == nil || c.Head.Pred != f.pred {
			continue
		}
		det, ok := determine(p, c, inputs, pr.atom)
		if !ok {
			return def, nil, false
		}
		b := branch{p.And(det.tests...), p.True()}
		if f.output >= 0 {
			if b.value, ok = det.known(c.Head.Args[f.output]); !ok {
				return def, nil, false
			}
		}
		branches = append(branches, b)
	}
	tests := make([]*term.Term, len(branches))
	for i, b := range branches {
		tests[i] = b.test
	}
	somewhere = p.Or(tests...)
	if f.output < 0 {
		return witness.Definition{Func: f.fn, Params: params, Body: somewhere}, somewhere, true
	}
	// Where no case applies the value does not matter: that of a plain case keeps the definition short.
	body := term.DefaultValue(p, f.fn.Range).Term(p)
	for i := len(branches) - 1; i >= 0; i-- {
		if b := branches[i]; i == len(branches)-1 && plain(b.value) {
			body = b.value
		} else {
			body = p.Ite(b.test, b.value, body)
		}
	}
	return witness.Definition{Func: f.fn, Params: params, Body: body}, somewhere, true
}

// plain reports whether a term applies no function and takes no field.
func plain(t *term.Term) bool {
	ok := true
	term.Walk(t, func(u *term.Term) bool {
		ok = ok && u.Op() != term.Apply && u.Op() != term.Field
		return ok
	})
	return ok
}

// atom reads a body atom by its predicate's function or invariants.
func (pr *Prover) atom(a chc.App, known func(*term.Term) (*term.Term, bool)) (output int, value *term.Term, ok, usable bool) {
	p := pr.sys.Pool
	f := pr.functions[a.Pred]
	if f == nil && len(pr.invariants[a.Pred.ID]) == 0 {
		return 0, nil, false, false
	}
	args := make([]*term.Term, len(a.Args))
	for k, x := range a.Args {
		if f != nil && k == f.output {
			continue
		}
		if args[k], ok = known(x); !ok {
			return 0, nil, false, true
		}
	}
	if f == nil {
		return -1, p.And(pr.invariants.Of(p, chc.App{Pred: a.Pred, Args: args})...), true, true
	}
	return f.output, f.value(p, args), true, true
}

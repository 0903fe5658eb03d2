package affine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/internal/smt"
)

// Engine is the inference as an engine: sat when equations and bounds exclude every query.
func Engine() engine.Engine {
	return engine.Engine{
		Name: "affine",
		Doc: "Proves with the strongest inductive equations between arguments, of sums or, where clauses multiply, of polynomials, and bounds by constants of the " +
			"clauses; never refutes. For loops that count or sum up several things at once.",
		Options:  new(options).table(),
		Fragment: fragment,
		Solve:    solve,
	}
}

// fragment asks for numbers or bit-vectors.
func fragment(sys *chc.System) error {
	if !hasArgument(sys, (*term.Sort).IsArith) && !hasArgument(sys, (*term.Sort).IsBitVec) {
		return errors.New("no predicate has a number or a bit-vector among its arguments")
	}
	return nil
}

// hasArgument reports whether a predicate has an argument of such a sort.
func hasArgument(sys *chc.System, is func(*term.Sort) bool) bool {
	return slices.ContainsFunc(sys.Predicates, func(p *chc.Predicate) bool { return slices.ContainsFunc(p.Sorts, is) })
}

func solve(ctx context.Context, sys *chc.System, s engine.Settings) (engine.Answer, error) {
	o, err := newOptions(s)
	if err != nil {
		return engine.Answer{}, err
	}
	if !o.congruences && !hasArgument(sys, (*term.Sort).IsArith) {
		return engine.Answer{Reason: "affine finds nothing of bit-vectors but congruences; try --option affine.congruences=true or --engine spacer"}, nil
	}
	exchange := &board{Participant: s.Exchange.Join(sys), given: map[*chc.Predicate][]*term.Term{}}
	if o.from > 1 && !multiplicable(sys, o.factors) {
		return engine.Answer{Reason: "affine only finds equations and bounds, and no predicate is small enough for those over products; try --engine spacer"}, nil
	}
	run := search{sys: sys, settings: s, options: o.within(o.firstLimit), guards: guards(sys, o.mostGuards), exchange: exchange}
	// Few queries are hard where the inference does well, and an open one costs its whole time: patience comes second.
	answer, open, err := run.attempts(ctx)
	if err == nil && answer.Verdict != engine.Sat && open > 0 && o.firstLimit < o.checkLimit {
		run.options = o
		answer, _, err = run.attempts(ctx)
	}
	return engine.Ended(ctx, "affine", answer, err)
}

// search is what all attempts have in common.
type search struct {
	sys      *chc.System
	settings engine.Settings
	options  options
	guards   [][]*term.Term
	exchange *board
}

// attempts makes attempts with growing degrees, with and without guards. It returns how many queries they left open.
func (r *search) attempts(ctx context.Context) (answer engine.Answer, open int, err error) {
	o := r.options
	var sums *inference
	for degree := o.from; ; degree++ {
		if degree == max(o.from, 2) && degree <= o.degree {
			f, left, err := r.ofMultiplied(ctx, sums)
			open += left
			if err != nil || f.answer.Verdict == engine.Sat {
				return f.answer, open, err
			}
		}
		f, err := r.attempt(ctx, scope{degree: degree, guards: make([][]*term.Term, len(r.guards))})
		open += f.open
		plain := f.inference
		// What took too long does so with guards and in higher degrees all the more.
		if err == nil && f.settled && f.answer.Verdict == engine.Unknown && branching(r.guards) && o.guards {
			f, err = r.attempt(ctx, scope{degree: degree, guards: r.guards, sums: sums})
			sums = f.inference
			open += f.open
		}
		if degree == 1 && err == nil && f.settled && f.answer.Verdict == engine.Unknown && o.congruences {
			if width := widthOf(r.sys); width > 0 {
				f, err = r.congruences(ctx, width, plain, sums)
				open += f.open
			}
		}
		if err != nil || f.answer.Verdict == engine.Sat || !f.settled || degree >= o.degree || !multiplicable(r.sys, o.factors) {
			return f.answer, open, err
		}
	}
}

// congruences makes attempts with congruences modulo 2^width, without guards and with them.
func (r *search) congruences(ctx context.Context, width int, plain, guarded *inference) (found, error) {
	f, err := r.attempt(ctx, scope{degree: 1, width: width, guards: make([][]*term.Term, len(r.guards)), sums: plain})
	if err == nil && f.settled && f.answer.Verdict == engine.Unknown && guarded != nil {
		f, err = r.attempt(ctx, scope{degree: 1, width: width, guards: r.guards, sums: guarded})
	}
	return f, err
}

// ofMultiplied makes attempts with products of those arguments only that clauses multiply, and then also of those that they compare
// with these, if there are others: these are few, so that their degree may be that of the products in clauses. The last one that was made
// is returned, or what found nothing.
func (r *search) ofMultiplied(ctx context.Context, sums *inference) (f found, open int, err error) {
	factors := multiplied(r.sys)
	of, some := factors.arguments()
	for range 2 {
		if !some {
			break
		}
		f, err = r.ofFactors(ctx, of, min(max(factors.degree, 2), mostDegree), sums)
		open += f.open
		if err != nil || f.answer.Verdict == engine.Sat {
			break
		}
		factors.compare()
		before := of
		if of, some = factors.arguments(); slices.EqualFunc(before, of, slices.Equal) {
			break
		}
	}
	return f, open, err
}

// ofFactors makes an attempt with products of some arguments.
func (r *search) ofFactors(ctx context.Context, factors [][]bool, degree int, sums *inference) (found, error) {
	guards := make([][]*term.Term, len(r.guards))
	for id, of := range r.guards {
		if r.options.guards {
			guards[id] = about(of, witness.CanonicalParams(r.sys.Pool, r.sys.Predicates[id]), factors[id])
		}
	}
	return r.attempt(ctx, scope{degree: degree, factors: factors, guards: guards, sums: sums})
}

// about returns the guards that are about factors, and about what guards compare with factors: the others, of the elements of arrays, are
// true or false of tuples that the same polynomials hold of.
func about(guards []*term.Term, params []*term.Term, factors []bool) (out []*term.Term) {
	var compared []*term.Term
	for _, g := range guards {
		if vars := term.Vars(g); slices.ContainsFunc(vars, func(x *term.Term) bool { return factors[slices.Index(params, x)] }) {
			compared = append(compared, vars...)
		}
	}
	for _, g := range guards {
		if !slices.ContainsFunc(term.Vars(g), func(x *term.Term) bool { return !slices.Contains(compared, x) }) {
			out = append(out, g)
		}
	}
	return out
}

// branching reports whether there are guards.
func branching(guards [][]*term.Term) bool {
	return slices.ContainsFunc(guards, func(gs []*term.Term) bool { return len(gs) > 0 })
}

// board is the exchange with what has been read of it.
type board struct {
	*engine.Participant
	given map[*chc.Predicate][]*term.Term
}

// read returns all that others have posted, by predicates.
func (b *board) read() map[*chc.Predicate][]*term.Term {
	for _, l := range b.Lemmas() {
		b.given[l.Predicate] = append(b.given[l.Predicate], l.Formula)
	}
	return b.given
}

// found is the outcome of an attempt.
type found struct {
	answer engine.Answer
	// settled says whether the time was enough for all predicates.
	settled bool
	// open counts the queries without an answer.
	open int
	// inference has what was found. It is closed.
	inference *inference
}

// attempt looks for equations of one degree, of the tuples that the guards tell apart, and for a proof with them. What has
// no guards is posted on the exchange.
func (r *search) attempt(ctx context.Context, of scope) (found, error) {
	// Queries with products are hard without what others have found, which is of sums.
	if of.degree == 1 {
		of.given = r.exchange.read()
	}
	in, err := newInference(r.sys, r.settings, r.options, of)
	if err != nil {
		return found{}, err
	}
	defer in.close()
	if err := in.run(ctx); err != nil {
		return found{}, err
	}
	// Products are hard for those who did not ask for them, and bounds alone others find when they need them: told of them
	// they take another way, which was as a rule the longer one.
	if of.degree == 1 && !branching(of.guards) && in.equates() {
		r.settings.Stats.Add("exchange.lemmas.posted", int64(r.exchange.PostLemmas(in.lemmas()...)))
	}
	out := found{inference: in, settled: !slices.ContainsFunc(in.states, func(s *state) bool { return s.top })}
	for _, c := range r.sys.Clauses {
		if !c.IsQuery() {
			continue
		}
		excluded, err := in.excludes(ctx, c)
		if err != nil {
			return found{}, err
		}
		if !excluded {
			out.answer.Reason = fmt.Sprintf("affine only finds equations and bounds, and they do not exclude the query that is clause %d; --engine spacer looks for more", c.ID)
			out.open = in.open
			return out, nil
		}
	}
	out.answer = engine.Answer{Verdict: engine.Sat, Model: in.model()}
	return out, nil
}

// multiplicable reports whether some predicate has so few numbers of one sort, most at the most, that there are products of its arguments.
func multiplicable(sys *chc.System, most int) bool {
	for _, p := range sys.Predicates {
		for _, sort := range []*term.Sort{term.Int, term.Real} {
			n := 0
			for _, s := range p.Sorts {
				if s == sort {
					n++
				}
			}
			if n > 1 && n <= most {
				return true
			}
		}
	}
	return false
}

// equates reports whether there is an equation between arguments.
func (in *inference) equates() bool {
	for _, s := range in.states {
		for _, c := range s.cells {
			for _, g := range c.groups {
				if s.top {
					continue
				}
				if slices.ContainsFunc(g.space.rows, func(row []term.Num) bool { return support(row[1:]) > 1 }) {
					return true
				}
			}
		}
	}
	return false
}

// lemmas are what has been found, for others. They are inductive together with what is given.
func (in *inference) lemmas() []engine.Lemma {
	var out []engine.Lemma
	for _, s := range in.states {
		for _, f := range s.formulas(in.pool) {
			out = append(out, engine.Lemma{Predicate: s.pred, Formula: f})
		}
	}
	return out
}

// facts are what has been found and what is given, by predicates.
func (in *inference) facts() map[*chc.Predicate][]*term.Term {
	out := map[*chc.Predicate][]*term.Term{}
	for _, s := range in.states {
		out[s.pred] = append(s.formulas(in.pool), in.given[s.pred]...)
	}
	return out
}

// excludes reports whether a query's constraint contradicts what is known of its body. Products that the incremental core cannot decide
// are left to Z3's tactics, which know the real numbers.
func (in *inference) excludes(ctx context.Context, q *chc.Clause) (bool, error) {
	premises := append(in.premises(q), in.expand.expand(q.Constraint))
	for _, params := range []smt.Params{{ArithSolver: in.options.arithSolver}, {Auto: true}} {
		status, err := in.ask(ctx, params, premises)
		if err != nil || status != smt.Unknown {
			return status == smt.Unsat, err
		}
		if in.degree == 1 {
			break
		}
	}
	in.open++
	return false, nil
}

// ask asks a new solver whether formulas have a model, with more patience than others, since the answer depends on it.
func (in *inference) ask(ctx context.Context, params smt.Params, formulas []*term.Term) (smt.Status, error) {
	solver, err := in.smt.NewSolver(params)
	if err != nil {
		return smt.Unknown, fmt.Errorf("open a solver for a query: %w", err)
	}
	defer solver.Close()
	solver.SetLimit(smt.Limit{Time: patience * in.options.checkLimit})
	if err := solver.Assert(formulas...); err != nil {
		return smt.Unknown, fmt.Errorf("assert a query: %w", err)
	}
	in.settings.Stats.Add("checks", 1)
	status, err := solver.Check(ctx)
	if err != nil {
		return smt.Unknown, fmt.Errorf("check a query: %w", err)
	}
	return status, nil
}

// model interprets every predicate by what is known of it.
func (in *inference) model() *witness.Model {
	m := witness.NewModel()
	facts := in.facts()
	for _, s := range in.states {
		m.Interpretations[s.pred] = witness.Interpretation{Params: s.params, Body: in.pool.And(facts[s.pred]...)}
	}
	return m
}

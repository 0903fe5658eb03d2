package spacer

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"hornbeam/chc/rule"
	"hornbeam/chc/term"
	"hornbeam/engine"
	"hornbeam/internal/smt"
	"hornbeam/mbp"
)

// block works on the root at the present bound until it is blocked (false) or reached (true): the inner loop of Alg. 1.
func (pr *prover) block(ctx context.Context, root *obligation) (bool, error) {
	queue := newObligationQueue()
	queue.push(root)
	for o := queue.pop(); o != nil; o = queue.pop() {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if err := pr.share(); err != nil {
			return false, err
		}
		pr.set("obligations.open", int64(queue.size()+1))
		if o.closed {
			continue
		}
		result, err := pr.expand(ctx, o)
		if err != nil {
			return false, err
		}
		switch {
		case result.reached:
			o.closed = true
			if o == root {
				return true, nil
			}
		case result.blocked:
			if o == root {
				return false, nil
			}
		case result.instead:
			queue.push(result.child)
		default:
			queue.push(o)
			queue.push(result.child)
		}
	}
	return false, nil
}

// expansion is what became of an obligation: it was reached, it was blocked, or a child has to be looked at first.
type expansion struct {
	reached bool
	blocked bool
	child   *obligation
	// instead is set when the obligation is dropped for the child: its parent asks for it again.
	instead bool
}

// expand takes one step on an obligation: Successor when its cube is reachable through reach facts, DecideMust and
// DecideMay when it may be reachable, Conflict when it is not.
func (pr *prover) expand(ctx context.Context, o *obligation) (expansion, error) {
	if pr.tracing() {
		pr.emit("obligation", engine.Field{Name: "predicate", Value: o.pred.Name}, engine.Field{Name: "level", Value: o.level},
			engine.Field{Name: "formula", Value: pr.pool.And(o.post...).String()})
	}
	if !pr.options.must {
		if e, ok, err := pr.follow(ctx, o); ok || err != nil {
			return e, err
		}
	}
	answer, err := pr.query(ctx, o)
	if err != nil {
		return expansion{}, err
	}
	switch answer.status {
	case smt.Unsat:
		if wider := pr.withoutGap(o, answer.core, answer.level); wider != nil {
			return expansion{child: wider, instead: true}, nil
		}
		pr.count("rule.Conflict", 1)
		return expansion{blocked: true}, pr.conflict(ctx, o, answer)
	case smt.Sat:
	default:
		return expansion{}, &engine.Incomplete{Reason: fmt.Sprintf("the solver could not decide which values %s has: %s; simplify the clauses' arithmetic, or try another --engine", o.pred.Name, answer.reason)}
	}
	if answer.rule == nil {
		pr.count("rule.Successor.known", 1)
		return expansion{reached: true}, nil
	}
	if !slices.Contains(answer.must, nil) {
		if answer.rule.IsFact() {
			pr.count("rule.Leaf", 1)
		}
		o.reached, err = pr.newFact(answer.rule, answer.must, answer.model)
		return expansion{reached: true}, err
	}
	if !pr.options.must {
		pr.count("rule.DecideMay", 1)
		if o.derivation, err = pr.derive(o, answer); err != nil {
			return expansion{}, err
		}
		return expansion{child: pr.next(o)}, nil
	}
	child, err := pr.child(o, answer)
	return expansion{child: child}, err
}

// reachability is the answer of a query: unsat with the core over the cube and the level at which it holds, or sat with
// the model, the rule that it takes (nil: a reach fact of the predicate itself) and the reach facts that cover its body.
type reachability struct {
	status smt.Status
	core   []*term.Term
	level  int
	model  term.Assignment
	rule   *rule.Rule
	must   []*fact
	reason string
}

// query asks whether an obligation's cube is reachable within its level, preferring derivations whose body atoms are
// covered by reach facts.
func (pr *prover) query(ctx context.Context, o *obligation) (*reachability, error) {
	f, err := pr.frameFor(o.pred)
	if err != nil {
		return nil, err
	}
	background := f.background(o.level)
	soft, settled := pr.preferMust(f, o)
	var given []*term.Term
	for {
		status, err := f.check(ctx, slices.Concat(soft, o.post, background))
		if err != nil {
			return nil, err
		}
		switch status {
		case smt.Sat:
			m, err := f.solver.Model()
			if err != nil {
				return nil, fmt.Errorf("read a model: %w", err)
			}
			if !settled {
				if soft, m, err = pr.restore(ctx, f, o, soft, given, m); err != nil {
					return nil, err
				}
				o.soft = soft
			}
			return pr.readReachability(o, m)
		case smt.Unsat:
			core := f.solver.Core()
			last := -1
			for i, t := range soft {
				if slices.Contains(core, t) {
					last = i
				}
			}
			switch {
			case last < 0:
				return &reachability{status: smt.Unsat, core: inCube(core, o.post), level: f.usedLevel(core)}, nil
			case settled:
				// New lemmas exclude what was settled on: choose anew.
				o.mustSeen = -1
				soft, settled = pr.preferMust(f, o)
			default:
				given = append(given, soft[last])
				soft = slices.Delete(slices.Clone(soft), last, last+1)
			}
		default:
			if len(soft) == 0 {
				reason := f.solver.ReasonUnknown()
				if again, err := f.retune(); err != nil {
					return nil, err
				} else if again {
					o.mustSeen = -1
					return pr.query(ctx, o)
				}
				return &reachability{status: smt.Unknown, reason: reason}, nil
			}
			given, soft, settled = append(given, soft...), nil, false
		}
	}
}

// preferMust returns the assumptions that make a query prefer derivations through reach facts: for every body atom the
// end of its must chain, or no use of the rule where no fact is known. What was kept for the same obligation is kept
// again while there are no new facts: then settled is true.
func (pr *prover) preferMust(f *frame, o *obligation) (soft []*term.Term, settled bool) {
	if !pr.options.must || o.level == 0 {
		return nil, true
	}
	known := 0
	for _, r := range o.pred.Rules {
		missing := false
		for i, a := range r.Body {
			known += len(pr.of(a.Pred).facts)
			if t := f.mustChain(rule.Use{Rule: r, Position: i}); t != nil {
				soft = append(soft, t)
			} else {
				missing = true
			}
		}
		if missing {
			// After the chains, so that it is given up before them.
			soft = append(soft, pr.pool.Not(r.Tag))
		}
	}
	if o.mustSeen == known {
		return o.soft, true
	}
	o.mustSeen = known
	return soft, false
}

// restore adds to the kept preferences those given up ones that are satisfiable with them after all, so that no more
// can be kept. Then a child for an atom whose must chain was given up is never reached through a known fact: what comes
// of it is new, a lemma or a reach fact.
func (pr *prover) restore(ctx context.Context, f *frame, o *obligation, soft, given []*term.Term, m *smt.Model) ([]*term.Term, *smt.Model, error) {
	background := f.background(o.level)
	// The last one was given up for a core within what is kept now.
	for _, t := range given[:max(0, len(given)-1)] {
		trial := append(slices.Clone(soft), t)
		status, err := f.try(ctx, slices.Concat(trial, o.post, background))
		if err != nil {
			return nil, nil, err
		}
		if status != smt.Sat {
			continue
		}
		soft = trial
		if m, err = f.solver.Model(); err != nil {
			return nil, nil, fmt.Errorf("read a model: %w", err)
		}
	}
	return soft, m, nil
}

// inCube returns the literals of cube that occur in the core.
func inCube(core, cube []*term.Term) []*term.Term {
	var kept []*term.Term
	for _, t := range cube {
		if slices.Contains(core, t) {
			kept = append(kept, t)
		}
	}
	return kept
}

// readReachability finds the rule that a model takes, preferring one that reach facts cover whole.
func (pr *prover) readReachability(o *obligation, m term.Assignment) (*reachability, error) {
	answer := &reachability{status: smt.Sat, model: m}
	eval := term.NewEvaluator(pr.pool, m)
	open := -1
	for _, complete := range []bool{false, true} {
		if complete {
			answer.model = term.Complete(pr.pool, m)
			eval = term.NewEvaluator(pr.pool, answer.model)
		}
		for _, r := range o.pred.Rules {
			if !eval.True(r.Tag) || (o.level == 0 && !r.IsFact()) || !eval.True(r.Trans) {
				continue
			}
			must := make([]*fact, len(r.Body))
			if pr.options.must {
				must = pr.covered(r, answer.model)
			}
			missing := 0
			for _, f := range must {
				if f == nil {
					missing++
				}
			}
			if open < 0 || missing < open {
				open, answer.rule, answer.must = missing, r, must
			}
		}
		if answer.rule != nil {
			return answer, nil
		}
		for _, f := range pr.must(o.pred) {
			if !f.rule.IsFact() && eval.True(f.formula) {
				return answer, nil
			}
		}
	}
	// The solver chose what the theories leave open, such as the selectors of a wrong constructor.
	return nil, &engine.Incomplete{Reason: engine.Unfounded(fmt.Sprintf("the solver's model of %s satisfies none of its clauses", o.pred.Name))}
}

// child makes the obligation for the last body atom that no reach fact covers: its cube projects, from the model, the
// rule, the obligation, the reach facts of the covered atoms (DecideMust) and the lemmas of the others (DecideMay).
func (pr *prover) child(o *obligation, answer *reachability) (*obligation, error) {
	r := answer.rule
	target := -1
	for i, f := range answer.must {
		if f == nil {
			target = i
		}
	}
	formulas := append([]*term.Term{r.Trans}, o.post...)
	for i, a := range r.Body {
		switch {
		case i == target:
		case answer.must[i] != nil:
			pr.count("rule.DecideMust", 1)
			formulas = append(formulas, answer.must[i].at(pr, a))
		default:
			for _, l := range pr.of(a.Pred).may(o.level - 1) {
				formulas = append(formulas, pr.copies.ToCopy(a, l.clause))
			}
		}
	}
	pr.count("rule.DecideMay", 1)
	atom := r.Body[target]
	q := pr.of(atom.Pred)
	cube, err := pr.projectTo(formulas, atom.Args, answer.model)
	if err != nil {
		return nil, fmt.Errorf("project an obligation of %s: %w", q.Name, err)
	}
	if pr.vocabulary.Arrays {
		cube = mbp.ReduceSelects(pr.pool, cube, answer.model)
	}
	if pr.options.arrayEqualities == "both" {
		cube = pr.privilegeEqualities(q, cube, answer.model)
	}
	for i, t := range cube {
		cube[i] = pr.copies.ToParams(atom, t)
	}
	child := pr.obligationFor(q, cube, o.level-1, o)
	child.whole = child.whole || o.whole
	return child, nil
}

// implicant returns literals true in the model whose conjunction implies the formulas. Solvers' models are not believed:
// one that does not satisfy the formulas, as Z3 has them for arrays over finite index sorts, ends the run.
func (pr *prover) implicant(formulas []*term.Term, m term.Assignment) ([]*term.Term, error) {
	cube, err := mbp.ImplicantOf(pr.pool, formulas, m, mbp.ImplicantOptions{Complete: true})
	if errors.Is(err, mbp.ErrFalse) || errors.Is(err, mbp.ErrUndetermined) {
		err = &engine.Incomplete{Reason: engine.Unfounded("the solver's model does not satisfy the formulas that it is of: " + err.Error())}
	}
	return cube, err
}

// projectTo returns a cube over keep that the model satisfies and that implies the formulas with all other variables
// read existentially.
func (pr *prover) projectTo(formulas, keep []*term.Term, m term.Assignment) ([]*term.Term, error) {
	pr.count("projections", 1)
	kept := make(map[*term.Term]bool, len(keep))
	for _, v := range keep {
		kept[v] = true
	}
	var eliminate []*term.Term
	for _, v := range term.Vars(formulas...) {
		if !kept[v] {
			eliminate = append(eliminate, v)
		}
	}
	cube, err := pr.implicant(formulas, m)
	if err == nil && len(eliminate) > 0 {
		if cube, err = pr.projector.Project(cube, eliminate, m); errors.Is(err, mbp.ErrFalse) || errors.Is(err, mbp.ErrUndetermined) {
			err = &engine.Incomplete{Reason: engine.Unfounded("the solver's model does not determine the formulas that it is of: " + err.Error())}
		}
	}
	return pr.guarded(cube), err
}

// guarded is mbp.Guarded where there is something to be guarded.
func (pr *prover) guarded(cube []*term.Term) []*term.Term {
	if !pr.vocabulary.Variants {
		return cube
	}
	return mbp.Guarded(pr.pool, cube)
}

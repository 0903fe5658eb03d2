package specialise

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/resolve"
	"hornbeam/chc/transform/simplify"
	"hornbeam/internal/smt"
)

// errTooMany is the error of a split that exceeds the bounds.
var errTooMany = errors.New("too many copies")

// checkResources bounds one check, in the solver's own deterministic unit.
const checkResources = 2_000_000

// exploration finds the reachable combinations of the values of split arguments, and the instances of the clauses
// between them.
type exploration struct {
	env     transform.Environment
	pool    *term.Pool
	sys     *chc.System
	opts    Options
	split   splitPositions
	maxSize int

	// copies lists the reached copies by the predicates' IDs, found finds them by their values.
	copies    [][]*specialCopy
	found     map[string]*specialCopy
	queue     []*specialCopy
	instances []specialInstance
	size      int
	checks    int
	// tried counts the combinations of copies that clauses were instantiated for.
	tried int
	// uses lists the clauses with a predicate in their body.
	uses [][]*chc.Clause

	closeSolver func()
	solver      smt.Solver
}

// specialInstance is a clause for copies of its predicates.
type specialInstance struct {
	draft *simplify.Draft
	body  []*specialCopy
	head  *specialCopy // nil for a query
}

func newExploration(env transform.Environment, sys *chc.System, o Options, split splitPositions) (*exploration, error) {
	n := len(sys.Predicates)
	x := &exploration{
		env: env, pool: sys.Pool, sys: sys, opts: o, split: split,
		copies: make([][]*specialCopy, n), found: map[string]*specialCopy{}, uses: make([][]*chc.Clause, n),
	}
	for _, c := range sys.Clauses {
		for i, a := range c.Body {
			if resolve.Occurrences(c.Body[:i], a.Pred) == 0 {
				x.uses[a.Pred.ID] = append(x.uses[a.Pred.ID], c)
			}
		}
	}
	if env.Open == nil {
		return x, nil
	}
	var err error
	if x.solver, x.closeSolver, err = env.Solver(sys.Pool, smt.Limit{Resources: checkResources}); err != nil {
		return nil, err
	}
	return x, nil
}

func (x *exploration) close() {
	if x.closeSolver != nil {
		x.closeSolver()
	}
}

// run explores from the facts on. It fails with errTooMany beyond the bounds.
func (x *exploration) run(ctx context.Context) error {
	for _, c := range x.sys.Clauses {
		if c.IsFact() {
			if err := x.instantiate(ctx, c, nil); err != nil {
				return err
			}
		}
	}
	for len(x.queue) > 0 {
		c := x.queue[0]
		x.queue = x.queue[1:]
		for _, u := range x.uses[c.of.ID] {
			for i, a := range u.Body {
				if a.Pred != c.of {
					continue
				}
				if err := x.combine(ctx, u, c, i, nil, nil); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// combine instantiates u with c at body atom number at and all combinations of copies reached so far at the others, such
// that each combination is tried once: c stands first where it was reached last. The copies in body, those of the atoms
// before, give known values to variables; copies that give them other values are passed over.
func (x *exploration) combine(ctx context.Context, u *chc.Clause, c *specialCopy, at int, body []*specialCopy, known []binding) error {
	i := len(body)
	if i == len(u.Body) {
		if x.tried++; x.tried > x.opts.TriesPerClause*max(x.opts.MaxClauses, len(x.sys.Clauses)) {
			return errTooMany
		}
		return x.instantiate(ctx, u, slices.Clone(body))
	}
	candidates := x.copies[u.Body[i].Pred.ID]
	if i == at {
		candidates = []*specialCopy{c}
	}
	for _, d := range candidates {
		if i != at && (d.seq > c.seq || d == c && i < at) {
			continue
		}
		more, ok := x.bind(known, u.Body[i], d)
		if !ok {
			continue
		}
		if err := x.combine(ctx, u, c, at, append(body, d), more); err != nil {
			return err
		}
	}
	return nil
}

// binding is the value of a variable in a clause for copies.
type binding struct{ variable, value *term.Term }

// bind adds the values that a copy gives to the variables of an atom; it is false where they have others.
func (x *exploration) bind(known []binding, a chc.App, c *specialCopy) ([]binding, bool) {
	known = slices.Clip(known)
	for j, k := range x.split[a.Pred.ID] {
		t, v := a.Args[k], c.values[j]
		if !t.IsVar() {
			if x.pool.Eq(t, v).IsFalse() {
				return nil, false
			}
			continue
		}
		if i := slices.IndexFunc(known, func(b binding) bool { return b.variable == t }); i < 0 {
			known = append(known, binding{t, v})
		} else if known[i].value != v {
			return nil, false
		}
	}
	return known, true
}

// instantiate adds the instances of the clause for the copies in its body: one for each copy of the head's predicate
// that they reach.
func (x *exploration) instantiate(ctx context.Context, c *chc.Clause, body []*specialCopy) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	d := simplify.NewDraft(x.pool, c)
	conj := []*term.Term{c.Constraint}
	for i, a := range c.Body {
		for j, k := range x.split[a.Pred.ID] {
			conj = append(conj, x.pool.Eq(a.Args[k], body[i].values[j]))
		}
	}
	d.Constraint = x.pool.And(conj...)
	d.Settle()
	if d.Constraint.IsFalse() {
		return nil
	}
	if c.Head == nil {
		return x.add(d, body, nil)
	}
	var terms []*term.Term
	for _, k := range x.split[c.Head.Pred.ID] {
		terms = append(terms, d.Head.Args[k])
	}
	tuples, err := x.tuples(ctx, d.Constraint, terms)
	if err != nil {
		// Those found so far tell data from control.
		for _, values := range tuples {
			if _, e := x.reach(c.Head.Pred, values); e != nil {
				break
			}
		}
		return err
	}
	for _, values := range tuples {
		h := simplify.NewDraft(x.pool, c)
		h.Body, h.Head, h.Constraint, h.Define = d.Body, d.Head, d.Constraint, slices.Clone(d.Define)
		eqs := []*term.Term{h.Constraint}
		for j, t := range terms {
			eqs = append(eqs, x.pool.Eq(t, values[j]))
		}
		h.Constraint = x.pool.And(eqs...)
		h.Settle()
		if h.Constraint.IsFalse() {
			continue
		}
		head, err := x.reach(c.Head.Pred, values)
		if err != nil {
			return err
		}
		if err := x.add(h, body, head); err != nil {
			return err
		}
	}
	return nil
}

func (x *exploration) add(d *simplify.Draft, body []*specialCopy, head *specialCopy) error {
	x.instances = append(x.instances, specialInstance{draft: d, body: body, head: head})
	x.size += d.Constraint.Size() + 1
	if len(x.instances) > max(x.opts.MaxClauses, len(x.sys.Clauses)) || x.size > x.maxSize {
		return errTooMany
	}
	return nil
}

// reach returns the copy of p for the values, new or known.
func (x *exploration) reach(p *chc.Predicate, values []*term.Term) (*specialCopy, error) {
	key := fmt.Append(nil, p.ID)
	for _, v := range values {
		key = fmt.Append(key, ",", v.ID())
	}
	if c := x.found[string(key)]; c != nil {
		return c, nil
	}
	c := &specialCopy{of: p, values: values, seq: len(x.found)}
	x.found[string(key)] = c
	x.copies[p.ID] = append(x.copies[p.ID], c)
	x.queue = append(x.queue, c)
	if len(x.found) > max(x.opts.MaxCopies, len(x.sys.Predicates)) {
		return nil, errTooMany
	}
	return c, nil
}

// tuples returns the combinations of values that the terms can have under the constraint, and with an error those that
// were found before it.
func (x *exploration) tuples(ctx context.Context, constraint *term.Term, terms []*term.Term) ([][]*term.Term, error) {
	if !slices.ContainsFunc(terms, func(t *term.Term) bool { return !t.IsValue() }) {
		return [][]*term.Term{terms}, nil
	}
	if x.solver == nil {
		return nil, errTooMany
	}
	if err := x.solver.Push(); err != nil {
		return nil, err
	}
	defer x.solver.Pop() //nolint:errcheck // the next Push reports a broken solver
	// Variables for the terms, so that the model has values for them.
	names := make([]*term.Term, len(terms))
	if err := x.solver.Assert(constraint); err != nil {
		return nil, err
	}
	for i, t := range terms {
		names[i] = t
		if !t.IsVar() && !t.IsValue() {
			names[i] = x.pool.Fresh("s", t.Sort())
			if err := x.solver.Assert(x.pool.Eq(names[i], t)); err != nil {
				return nil, err
			}
		}
	}
	var out [][]*term.Term
	for {
		if x.checks++; x.checks > x.opts.MaxChecks {
			return out, errTooMany
		}
		status, err := x.solver.Check(ctx)
		switch {
		case err != nil:
			return nil, err
		case status == smt.Unsat:
			return out, nil
		case status == smt.Unknown || len(out) >= x.opts.MaxBranch:
			return out, errTooMany
		}
		m, err := x.solver.Model()
		if err != nil {
			return out, errTooMany // a value that cannot be written, such as an irrational number
		}
		ev := term.NewEvaluator(x.pool, term.Complete(x.pool, m))
		values := make([]*term.Term, len(names))
		same := make([]*term.Term, len(names))
		for i, t := range names {
			v, ok := ev.Eval(t)
			if !ok {
				return out, errTooMany
			}
			values[i] = v.Term(x.pool)
			same[i] = x.pool.Eq(t, values[i])
		}
		out = append(out, values)
		if err := x.solver.Assert(x.pool.Not(x.pool.And(same...))); err != nil {
			return nil, err
		}
	}
}

// fewer returns a smaller split to try when this one went beyond the bounds. A Boolean argument that is data doubles the
// copies: most copies have a twin that differs from them in this argument only. So the arguments with the most twins
// are dropped; a program counter's have few. An argument in several bits has the same number for each in groups.
func (x *exploration) fewer(groups [][]int) splitPositions {
	group := func(p, i int) int {
		k := x.split[p][i]
		if groups == nil {
			return k
		}
		return groups[p][k]
	}
	// twins are the parts of the copies that have one, by predicate and group.
	twins := map[[2]int]float64{}
	most := 0.0
	for p, ps := range x.split {
		for i := range ps {
			at := [2]int{p, group(p, i)}
			if _, known := twins[at]; known {
				continue
			}
			seen := map[string]int{}
			for _, c := range x.copies[p] {
				key := []byte{}
				for j, v := range c.values {
					if group(p, j) != at[1] {
						key = fmt.Append(key, ",", v.ID())
					}
				}
				seen[string(key)]++
			}
			n := 0
			for _, c := range seen {
				if c > 1 {
					n += c
				}
			}
			twins[at] = float64(n) / float64(max(1, len(x.copies[p])))
			most = max(most, twins[at])
		}
	}
	out := make(splitPositions, len(x.split))
	for p, ps := range x.split {
		for i, k := range ps {
			if twins[[2]int{p, group(p, i)}] < 0.9*most {
				out[p] = append(out[p], k)
			}
		}
	}
	return out
}

package unfold

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/internal/work"
)

// ErrRecursive says that a predicate depends on itself, and ErrTooMany that there are too many derivations.
var (
	ErrRecursive = errors.New("a predicate depends on itself, so that its derivations can't be written out")
	ErrTooMany   = errors.New("the clauses have too many derivations to be written out")
)

// Unfolding is all derivations of queries from clauses without recursion.
type Unfolding struct {
	// Formula has a model exactly if a query can be derived.
	Formula *term.Term
	// Queries are the ways to derive a query.
	Queries []*Way

	// written is Formula before its reads were read through stores.
	written *term.Term
}

// Instance is a predicate with the arguments that it has in some derivations: it is derived in one of Ways.
type Instance struct {
	Ways []*Way

	args  []*term.Term
	holds *term.Term
}

// Way is an instance of a clause.
type Way struct {
	Clause *chc.Clause
	// Holds says when the clause derives its head.
	Holds *term.Term
	// Values has a term for each variable of the clause.
	Values map[*term.Term]*term.Term
	// Premises are the instances of the body's atoms.
	Premises []*Instance

	args []*term.Term
	// own is what Holds says beside what it says of the premises.
	own *term.Term
}

// Of returns the unfolding of a system, over variables of its own. The error wraps ErrRecursive or ErrTooMany, or is that of ctx.
//
// A derivation has a spine of clauses, each a premise of the next, on which no predicate occurs twice, so that the instances of a
// spine serve all derivations that share its end; the other premises end spines of their own. A predicate that no derivation has twice
// ends one spine, whoever uses it. An instance gets the arguments that its user knows, and so every term is over as few variables as
// possible; but users that know different things need instances of their own. So the first premise of a clause, which other clauses may
// have as well, is told the arguments that are passed along from where all derivations of an instance agree on them, as the parameters of
// a procedure are from its call; and what else is known only where no other clause has that predicate in its body.
func Of(ctx context.Context, sys *chc.System) (*Unfolding, error) {
	d := derivations{
		pool: sys.Pool, graph: chc.NewGraph(sys), instances: map[string]*Instance{},
		size: make([]int, len(sys.Predicates)), uses: make([]int, len(sys.Predicates)),
		kept: make([][]bool, len(sys.Predicates)),
	}
	for _, component := range d.graph.Components() {
		p := component[0]
		if d.graph.Recursive(p) {
			return nil, fmt.Errorf("%s: %w", term.QuoteSymbol(p.Name), ErrRecursive)
		}
		for _, cl := range d.graph.Defines[p.ID] {
			for _, a := range cl.Body {
				d.size[p.ID] = min(d.size[p.ID]+1+d.size[a.Pred.ID], maxInstances)
			}
		}
		d.kept[p.ID] = d.keeps(p)
	}
	for _, cl := range sys.Clauses {
		for _, a := range cl.Body {
			d.uses[a.Pred.ID]++
		}
	}
	d.single = singles(d.graph, len(sys.Predicates))
	u := &Unfolding{}
	for _, cl := range d.graph.Queries {
		way, err := d.way(ctx, cl, 0, given{})
		if err != nil {
			return nil, err
		}
		u.Queries = append(u.Queries, way)
	}
	u.written = formula(sys.Pool, u.Queries)
	u.Formula = u.written
	if f, ok := readThrough(sys.Pool, u.written, maxReadThrough); ok {
		u.Formula = f
	}
	return u, nil
}

// derivations makes an unfolding.
type derivations struct {
	pool      *term.Pool
	graph     *chc.Graph
	instances map[string]*Instance
	// size has the number of predicates that each one depends on, counted once for each way to it, by ID.
	size []int
	// uses is how often each predicate is in the body of a clause, by ID.
	uses []int
	// kept says of the arguments of each predicate, by ID, that a derivation's first premises have them unchanged, down to a clause none of
	// whose premises has them.
	kept [][]bool
	// single says of predicates, by ID, that no derivation of a query has two instances of them.
	single []bool
	// spines is the number of the last spine; 0 is that of the queries, and those of single predicates are negative.
	spines int
}

// keeps returns what kept has of a predicate, when that of those below is known.
func (d *derivations) keeps(p *chc.Predicate) []bool {
	out := make([]bool, p.Arity())
	for i := range out {
		out[i] = !slices.ContainsFunc(d.graph.Defines[p.ID], func(cl *chc.Clause) bool {
			t := cl.Head.Args[i]
			if !t.IsVar() || len(cl.Body) == 0 {
				return !t.IsVar()
			}
			first := cl.Body[0]
			if k := slices.Index(first.Args, t); k >= 0 {
				return !d.kept[first.Pred.ID][k]
			}
			return slices.ContainsFunc(cl.Body[1:], func(a chc.App) bool { return slices.Contains(a.Args, t) })
		})
	}
	return out
}

// key tells the instances of a predicate apart: by the number of the spine that they are on and by the arguments that are given.
func key(p *chc.Predicate, spine int, given []*term.Term) string {
	out := fmt.Sprintf("%d %d", p.ID, spine)
	for _, t := range given {
		if t == nil {
			out += " -"
		} else {
			out += fmt.Sprintf(" %d", t.ID())
		}
	}
	return out
}

// given are the arguments of an instance that its user knows: nil stands for the others.
type given struct {
	args []*term.Term
	// passed says of arguments that they are passed along from a premise other than the first one, or that they are constants there, or
	// built of values that the clause chooses, which no clause below changes.
	passed []bool
}

// derive returns the instance of a predicate on a spine that has the arguments which are given.
func (d *derivations) derive(ctx context.Context, p *chc.Predicate, spine int, given given) (*Instance, error) {
	if d.single[p.ID] {
		// It has a spine of its own: what it is derived from may be on that of its user as well, by another way.
		spine = -1 - p.ID
	}
	key := key(p, spine, given.args)
	if known, ok := d.instances[key]; ok {
		return known, nil
	}
	if len(d.instances) >= maxInstances {
		return nil, ErrTooMany
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("writing out derivations: %w", err)
	}
	work.SpendMade(ctx, d.pool)
	in := &Instance{}
	for _, cl := range d.graph.Defines[p.ID] {
		way, err := d.way(ctx, cl, spine, given)
		if err != nil {
			return nil, err
		}
		if !way.Holds.IsFalse() {
			in.Ways = append(in.Ways, way)
		}
	}
	d.join(p, in)
	d.instances[key] = in
	return in, nil
}

// join gives an instance arguments that whichever way is taken has: a choice between those of the ways, where ways differ.
func (d *derivations) join(p *chc.Predicate, in *Instance) {
	in.args = make([]*term.Term, p.Arity())
	same := func(i int) bool {
		return !slices.ContainsFunc(in.Ways, func(w *Way) bool { return w.args[i] != in.Ways[0].args[i] })
	}
	var choices []*term.Term
	for i, s := range p.Sorts {
		switch {
		case len(in.Ways) == 0:
			in.args[i] = d.pool.Fresh("join", s)
		case same(i):
			in.args[i] = in.Ways[0].args[i]
		default:
			if choices == nil {
				choices = d.choices(in.Ways)
			}
			last := len(in.Ways) - 1
			in.args[i] = in.Ways[last].args[i]
			for k := last - 1; k >= 0; k-- {
				in.args[i] = d.pool.Ite(choices[k], in.Ways[k].args[i], in.args[i])
			}
		}
	}
	holds := make([]*term.Term, len(in.Ways))
	for i, w := range in.Ways {
		holds[i] = w.Holds
	}
	in.holds = d.pool.Or(holds...)
}

// require adds a condition to a way.
func (w *Way) require(p *term.Pool, c *term.Term) {
	w.Holds, w.own = p.And(w.Holds, c), p.And(w.own, c)
}

// choices returns, for each way but the last, a condition that holds if it is taken and not if a later one is: a conjunct that the ways
// have already, as the branches of a program do, or else a new variable, so that each way can be taken whenever it holds.
func (d *derivations) choices(ways []*Way) []*term.Term {
	conjuncts := make([][]*term.Term, len(ways))
	of := make([]map[*term.Term]bool, len(ways))
	for k, w := range ways {
		conjuncts[k], of[k] = term.Conjuncts(w.Holds), map[*term.Term]bool{}
		for _, c := range conjuncts[k] {
			of[k][c] = true
		}
	}
	out := make([]*term.Term, len(ways)-1)
	for k := range out {
		i := slices.IndexFunc(conjuncts[k], func(c *term.Term) bool {
			not := d.pool.Not(c)
			return !slices.ContainsFunc(of[k+1:], func(later map[*term.Term]bool) bool { return !later[not] })
		})
		if i >= 0 {
			out[k] = conjuncts[k][i]
			continue
		}
		out[k] = d.pool.Fresh("taken", term.Bool)
		ways[k].require(d.pool, out[k])
		for _, w := range ways[k+1:] {
			w.require(d.pool, d.pool.Not(out[k]))
		}
	}
	return out
}

// way returns how a clause derives its head, on a spine and with the arguments that are given, or false.
func (d *derivations) way(ctx context.Context, cl *chc.Clause, spine int, head given) (*Way, error) {
	longest := 0
	for k, a := range cl.Body {
		if d.size[a.Pred.ID] > d.size[cl.Body[longest].Pred.ID] {
			longest = k
		}
	}
	u := unifier{pool: d.pool, constraint: term.Conjuncts(cl.Constraint), values: map[*term.Term]*term.Term{}, chosen: map[*term.Term]bool{}}
	passed := map[*term.Term]bool{}
	if cl.Head != nil {
		u.unify(cl.Head.Args, head.args)
		for i, t := range cl.Head.Args {
			if head.passed[i] && t.IsVar() {
				passed[t] = true
			}
		}
	}
	u.solve()
	u.choose(cl)
	out := &Way{Clause: cl, Values: u.values}
	var parts []*term.Term
	for k, a := range cl.Body {
		on := spine
		if k != longest {
			d.spines++
			on = d.spines
		}
		u.solve()
		known := given{args: make([]*term.Term, len(a.Args)), passed: make([]bool, len(a.Args))}
		for i, t := range a.Args {
			if k > 0 || d.uses[a.Pred.ID] == 1 || passed[t] {
				known.args[i] = u.valueOf(t)
				known.passed[i] = known.args[i] != nil && (k > 0 || passed[t] || u.isChosen(t) && d.kept[a.Pred.ID][i])
			}
		}
		premise, err := d.derive(ctx, a.Pred, on, known)
		if err != nil {
			return nil, err
		}
		parts = append(parts, premise.holds)
		out.Premises = append(out.Premises, premise)
		for i, t := range a.Args {
			if known.args[i] == nil {
				u.unify([]*term.Term{t}, premise.args[i:i+1])
			}
		}
	}
	u.solve()
	for _, v := range cl.Vars() {
		if u.values[v] == nil {
			u.values[v] = d.pool.Fresh(v.Name(), v.Sort())
		}
	}
	out.own = d.pool.And(u.formulas()...)
	out.Holds = d.pool.And(append(parts, out.own)...)
	if cl.Head != nil {
		for i, t := range cl.Head.Args {
			if head.args[i] != nil {
				out.args = append(out.args, head.args[i])
			} else {
				out.args = append(out.args, u.valueOf(t))
			}
		}
	}
	return out, nil
}

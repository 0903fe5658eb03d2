package witness

import (
	"fmt"
	"slices"
	"strconv"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// Least returns the least model: in it every predicate means what the clauses derive of it. Where no predicate depends on itself
// that is a formula, and that it is a model is a single question: whether a query can be derived.
func Least() *Model { return &Model{Least: true} }

// StepsComment is the comment before the number of steps in the least model of recursive clauses as it is printed.
const StepsComment = "; the least model; steps that a derivation has at most: "

// LeastWithin returns the least model of linear clauses whose derivations end after so many steps.
func LeastWithin(steps int) *Model { return &Model{Least: true, Steps: max(steps, 1)} }

// spelled returns the least model with an interpretation of every predicate that applies those before it as functions: the disjunction
// of its clauses, each over variables of its own.
func spelled(sys *chc.System) *Model {
	pool, graph, out, taken := sys.Pool, chc.NewGraph(sys), NewModel(), globals(sys)
	for _, pred := range inOrderOfDerivation(sys) {
		i := Interpretation{Params: CanonicalParams(pool, pred)}
		var ways []*term.Term
		for _, cl := range graph.Defines[pred.ID] {
			parts := []*term.Term{cl.Constraint}
			for k, t := range cl.Head.Args {
				parts = append(parts, pool.Eq(i.Params[k], t))
			}
			var applied []*term.Term
			for _, a := range cl.Body {
				if len(a.Args) == 0 {
					applied = append(applied, pool.Var(a.Pred.Name, term.Bool))
				} else {
					parts = append(parts, pool.Apply(pool.DeclareFunc(a.Pred.Name, a.Pred.Sorts, term.Bool), a.Args...))
				}
			}
			// A variable that has the name of a predicate gets another one.
			names := map[*term.Term]*term.Term{}
			bound := slices.Clone(cl.Vars())
			for k, v := range bound {
				for n := 2; taken[bound[k].Name()]; n++ {
					// The same name each time, so that a reader knows the model by its text.
					if other := pool.Var(v.Name()+"_"+strconv.Itoa(n), v.Sort()); !slices.Contains(bound, other) {
						bound[k], names[v] = other, other
					}
				}
			}
			body := pool.And(append(applied, pool.Substitute(pool.And(parts...), names))...)
			ways = append(ways, pool.Exists(bound, body))
		}
		i.Body = pool.Or(ways...)
		out.Interpretations[pred] = i
	}
	return out
}

// within returns a system without recursion that has the least model of a system's predicates, whose derivations have at most so many
// steps: of each predicate it has one for each number of steps, and the predicate itself, which is derived from these.
func within(sys *chc.System, steps int) *chc.System {
	out := &chc.System{Pool: sys.Pool, Datatypes: sys.Datatypes}
	taken := globals(sys)
	add := func(p *chc.Predicate, name string) *chc.Predicate {
		q := *p
		q.ID, q.Name = len(out.Predicates), name
		out.Predicates = append(out.Predicates, &q)
		return &q
	}
	clause := func(c chc.Clause) {
		c.ID = len(out.Clauses)
		out.Clauses = append(out.Clauses, &c)
	}
	all := make([]*chc.Predicate, len(sys.Predicates))
	for i, p := range sys.Predicates {
		all[i] = add(p, p.Name)
	}
	var before []*chc.Predicate
	for n := range steps {
		after := make([]*chc.Predicate, len(sys.Predicates))
		for _, c := range sys.Clauses {
			if c.Head == nil || (len(c.Body) == 0) != (n == 0) || n > 0 && before[c.Body[0].Pred.ID] == nil {
				continue
			}
			id := c.Head.Pred.ID
			if after[id] == nil {
				name := fmt.Sprintf("%s@%d", c.Head.Pred.Name, n+1)
				for taken[name] {
					name += "@"
				}
				after[id] = add(c.Head.Pred, name)
			}
			head := chc.App{Pred: after[id], Args: c.Head.Args}
			step := chc.Clause{Constraint: c.Constraint, Head: &head}
			if n > 0 {
				step.Body = []chc.App{{Pred: before[c.Body[0].Pred.ID], Args: c.Body[0].Args}}
			}
			clause(step)
		}
		for id, p := range after {
			if p != nil {
				args := CanonicalParams(sys.Pool, p)
				clause(chc.Clause{Body: []chc.App{{Pred: p, Args: args}}, Constraint: sys.Pool.True(), Head: &chc.App{Pred: all[id], Args: args}})
			}
		}
		before = after
	}
	return out
}

// inOrderOfDerivation returns the predicates of a system without recursion, each behind those that it depends on.
func inOrderOfDerivation(sys *chc.System) []*chc.Predicate {
	var out []*chc.Predicate
	for _, component := range chc.NewGraph(sys).Components() {
		out = append(out, component...)
	}
	return out
}

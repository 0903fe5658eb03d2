package proof

import (
	"bufio"
	"fmt"
	"io"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// WriteZ3 writes a refutation as z3's Horn engine answers (get-proof): from the query's instance down, each fact by
//
//	((_ hyper-res 0 0 0 1 …) (asserted CLAUSE) PREMISE … FACT)
//
// where a premise is another such step. A fact that several steps use is bound by let. A fact over a predicate that is not one of sys,
// such as those that a reader makes, is left out, and what it was derived from stands in its place. The clauses are printed as z3 has
// them, or as true where clauses is false: whoever looks for the facts only then has less to read.
func WriteZ3(w io.Writer, sys *chc.System, r *witness.Refutation, clauses bool) error {
	p := &z3Printer{Writer: bufio.NewWriter(w), sys: sys, clauses: clauses}
	if err := p.refutation(r); err != nil {
		return fmt.Errorf("printing a refutation as z3 does: %w", err)
	}
	return p.Flush()
}

type z3Printer struct {
	*bufio.Writer
	sys     *chc.System
	clauses bool
	steps   []witness.Step
	// uses counts the premises that are a step.
	uses []int
}

func (p *z3Printer) refutation(r *witness.Refutation) error {
	r, err := r.Unroll(witness.MaxWritten)
	if err != nil {
		return err
	}
	p.steps = r.Prune().Steps
	if len(p.steps) == 0 {
		return fmt.Errorf("it has no steps")
	}
	p.uses = make([]int, len(p.steps))
	for i, s := range p.steps {
		if s.Clause == nil {
			return fmt.Errorf("step %d has no clause", i)
		}
		var premises []int
		for _, q := range s.Premises {
			switch {
			case q < 0 || q >= i || p.steps[q].Clause.Head == nil:
				return fmt.Errorf("step %d has a premise that is no earlier step with a fact", i)
			case slices.Contains(p.sys.Predicates, p.steps[q].Clause.Head.Pred):
				premises = append(premises, q)
			default:
				premises = append(premises, p.steps[q].Premises...)
			}
		}
		p.steps[i].Premises = premises
	}
	p.count(len(p.steps) - 1)
	p.WriteString("((set-logic HORN)\n(proof\n")
	lets := 0
	for i := range p.steps {
		if p.uses[i] > 1 {
			fmt.Fprintf(p, "(let ((%s ", p.name(i))
			if err := p.step(i); err != nil {
				return err
			}
			p.WriteString("))\n")
			lets++
		}
	}
	query := p.steps[len(p.steps)-1]
	p.WriteString("(mp ")
	if len(query.Premises) == 1 && query.Clause.Constraint.IsTrue() {
		// A query for one fact: solc's, and what z3 makes of all others.
		if err := p.premise(query.Premises[0]); err != nil {
			return err
		}
		p.WriteString(" ")
		if err := p.asserted(query.Clause); err != nil {
			return err
		}
	} else {
		if err := p.step(len(p.steps) - 1); err != nil {
			return err
		}
		p.WriteString(" (asserted (=> query!0 false))")
	}
	p.WriteString(" false)")
	for range lets {
		p.WriteString(")")
	}
	p.WriteString("))\n")
	return nil
}

// count counts the uses of the steps below a step.
func (p *z3Printer) count(i int) {
	for _, q := range p.steps[i].Premises {
		if p.uses[q]++; p.uses[q] == 1 {
			p.count(q)
		}
	}
}

// name is what a shared step is bound to.
func (p *z3Printer) name(i int) string { return fmt.Sprintf("a!%d", i+1) }

// premise writes a step where another one uses it.
func (p *z3Printer) premise(i int) error {
	if p.uses[i] > 1 {
		p.WriteString(p.name(i))
		return nil
	}
	return p.step(i)
}

// step writes a step. Those that are used once are nested in it.
func (p *z3Printer) step(i int) error {
	s := p.steps[i]
	p.WriteString("((_ hyper-res 0 0")
	for k := range s.Premises {
		fmt.Fprintf(p, " 0 %d", k+1)
	}
	p.WriteString(") ")
	if err := p.asserted(s.Clause); err != nil {
		return err
	}
	for _, q := range s.Premises {
		p.WriteString(" ")
		if err := p.premise(q); err != nil {
			return err
		}
	}
	p.WriteString(" ")
	if s.Clause.Head == nil {
		p.WriteString("query!0)")
		return nil
	}
	fact := *s.Clause.Head
	fact.Args = make([]*term.Term, len(fact.Args))
	for k, t := range s.Clause.Head.Args {
		fact.Args[k] = s.Ground(p.sys.Pool, t)
	}
	// Facts are written without lets where they are not large: readers look at their arguments.
	p.WriteString(p.atom(fact).String() + ")")
	return nil
}

// asserted writes a clause as a premise.
func (p *z3Printer) asserted(c *chc.Clause) error {
	if !p.clauses {
		_, err := p.WriteString("(asserted true)")
		return err
	}
	p.WriteString("(asserted ")
	pool := p.sys.Pool
	var body []*term.Term
	for _, a := range c.Body {
		body = append(body, p.atom(a))
	}
	head := pool.False()
	if c.Head != nil {
		head = p.atom(*c.Head)
	}
	if err := p.term(pool.Forall(c.Vars(), pool.Implies(pool.And(append(body, c.Constraint)...), head))); err != nil {
		return err
	}
	_, err := p.WriteString(")")
	return err
}

func (p *z3Printer) atom(a chc.App) *term.Term {
	return p.sys.Pool.Apply(p.sys.Pool.DeclareFunc(a.Pred.Name, a.Pred.Sorts, term.Bool), a.Args...)
}

func (p *z3Printer) term(t *term.Term) error { return term.Write(p, t) }

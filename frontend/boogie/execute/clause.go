package execute

import (
	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/encode"
)

// program has the clauses of an encoding by where they begin.
type program struct {
	encoding *encode.Encoding
	pool     *term.Pool
	// begins are the clauses in which runs of a procedure begin, from those that go on at a cut point: those that fail
	// come first.
	begins map[*ast.Procedure][]*clause
	from   map[*chc.Predicate][]*clause
	// queries are those of the entries.
	queries []*clause
}

// clause is a clause with its parts.
type clause struct {
	*chc.Clause
	parts []*part
	vars  []*term.Term
	// point says that the first atom is the cut point where it begins.
	point bool
}

// part is a conjunct of a constraint.
type part struct {
	*term.Term
	vars []*term.Term
}

func newPart(t *term.Term) *part { return &part{t, term.Vars(t)} }

// newProgram sorts the clauses of an encoding.
func newProgram(e *encode.Encoding) *program {
	p := &program{encoding: e, pool: e.System.Pool, begins: map[*ast.Procedure][]*clause{}, from: map[*chc.Predicate][]*clause{}}
	add := func(c *chc.Clause, fails bool) {
		if c.Head == nil || (e.Meanings[c.Head.Pred].Kind == encode.Failure) != fails {
			return
		}
		n := p.clause(c)
		if n.point {
			p.from[c.Body[0].Pred] = append(p.from[c.Body[0].Pred], n)
		} else {
			q := e.Meanings[c.Head.Pred].Procedure
			p.begins[q] = append(p.begins[q], n)
		}
	}
	for _, c := range e.System.Clauses {
		add(c, true)
	}
	for _, c := range e.System.Clauses {
		add(c, false)
		if c.Head == nil {
			p.queries = append(p.queries, p.clause(c))
		}
	}
	return p
}

func (p *program) clause(c *chc.Clause) *clause {
	n := &clause{Clause: c, vars: c.Vars()}
	for _, f := range term.Conjuncts(c.Constraint) {
		n.parts = append(n.parts, newPart(f))
	}
	n.point = len(c.Body) > 0 && p.encoding.Meanings[c.Body[0].Pred].Kind == encode.Point
	return n
}

// inputs is how many of a predicate's arguments go into the procedure; they are its first ones.
func (p *program) inputs(pred *chc.Predicate) int {
	n := 0
	for _, a := range p.encoding.Meanings[pred].Arguments {
		if a.When == encode.Now {
			break
		}
		n++
	}
	return n
}

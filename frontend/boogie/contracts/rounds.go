package contracts

import (
	"context"
	"slices"
	"time"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/encode"
	"hornbeam/internal/work"
)

// verifier goes through obligations: round by round through those that candidates depend on, until all that are left are proved, and
// then once through the others.
type verifier struct {
	Options
	encoding *encode.Encoding
	result   *Result
	first    bool
	held     map[string]bool
	// surviving are the places of candidates that are taken to hold.
	surviving  map[chc.Position]bool
	candidates []ast.Candidate
	// queries are the encoding's, with the clauses that derive what they ask about.
	queries []*chc.Clause
	heads   map[*chc.Predicate][]*chc.Clause
	works   map[task]*state
	// until is when the time for all procedures together is over.
	until time.Duration
}

// task is a query of an encoding, in a way that encodings of the same program with fewer candidates share: the procedure's name, and how
// many of its queries are before it.
type task struct {
	procedure string
	number    int
}

// state is what is known of a query.
type state struct {
	// settled says that its candidates were proved together, and that nothing that they depend on was dropped since.
	settled bool
	spent   time.Duration
}

// take takes a new encoding.
func (v *verifier) take(e *encode.Encoding) {
	v.encoding, v.queries, v.heads = e, nil, map[*chc.Predicate][]*chc.Clause{}
	for _, c := range e.System.Clauses {
		if c.Head == nil {
			v.queries = append(v.queries, c)
		} else {
			v.heads[c.Head.Pred] = append(v.heads[c.Head.Pred], c)
		}
	}
}

// begin begins to count the time of procedures.
func (v *verifier) begin(ctx context.Context) {
	v.until = work.Now(ctx) + v.Procedure*time.Duration(len(v.queries))
	for _, w := range v.works {
		w.spent = 0
	}
}

// all calls f for each query of the encoding.
func (v *verifier) all(f func(query *chc.Clause, p *ast.Procedure, w *state) error) error {
	seen := map[string]int{}
	for _, q := range v.queries {
		p := v.encoding.Queries[q]
		k := task{p.Name, seen[p.Name]}
		seen[p.Name]++
		if v.works[k] == nil {
			v.works[k] = &state{}
		}
		if err := f(q, p, v.works[k]); err != nil {
			return err
		}
	}
	return nil
}

// infer tries to prove what candidates depend on, and drops those for which that fails. It reports whether there were any, so that it
// has to be done again for the procedures that they may be taken for.
func (v *verifier) infer(ctx context.Context) (dropped bool, err error) {
	var changed []ast.Candidate
	everything := false
	err = v.all(func(q *chc.Clause, _ *ast.Procedure, w *state) error {
		if w.settled {
			return nil
		}
		w.settled = true
		return v.unproved(ctx, w, q, true, func(c *chc.Clause, _ string) bool {
			dropped = true
			if one := v.drop(c); one != nil {
				changed = append(changed, *one)
			} else {
				everything = true
			}
			return true
		})
	})
	if err != nil {
		return false, err
	}
	v.unsettle(changed, everything)
	return dropped, nil
}

// unsettle says of the queries that may have taken dropped candidates for granted that they have to be looked at again: those of the
// procedures that the candidates belong to, and of procedures that may come to one of these by calls.
func (v *verifier) unsettle(dropped []ast.Candidate, everything bool) {
	if len(dropped) == 0 && !everything {
		return
	}
	reached := map[*ast.Procedure]map[*ast.Procedure]bool{}
	_ = v.all(func(_ *chc.Clause, p *ast.Procedure, w *state) error {
		if reached[p] == nil {
			reached[p] = map[*ast.Procedure]bool{}
			reach(p, reached[p])
		}
		for q := range reached[p] {
			if everything || slices.ContainsFunc(dropped, func(c ast.Candidate) bool { return c.Procedure.Name == q.Name }) {
				w.settled = false
			}
		}
		return nil
	})
}

// reach adds a procedure and those that it may come to by calls.
func reach(p *ast.Procedure, seen map[*ast.Procedure]bool) {
	if p == nil || seen[p] {
		return
	}
	seen[p] = true
	var visit func(stmts []ast.Stmt)
	visit = func(stmts []ast.Stmt) {
		ast.WalkStatements(stmts, func(s ast.Stmt) bool {
			if c, ok := s.(*ast.Call); ok {
				reach(c.Procedure, seen)
			}
			return true
		}, func(e ast.Expr) bool {
			if code, ok := e.(*ast.CodeExpr); ok {
				visit(code.Body.Stmts)
			}
			return true
		})
	}
	for _, impl := range p.Implementations {
		visit(impl.Body.Stmts)
	}
}

// rest tries to prove the obligations on which no candidate depends.
func (v *verifier) rest(ctx context.Context) error {
	v.result.Procedures = nil
	enough := false
	return v.all(func(q *chc.Clause, procedure *ast.Procedure, w *state) error {
		if enough {
			return nil
		}
		p := Procedure{Procedure: procedure}
		err := v.unproved(ctx, w, q, false, func(c *chc.Clause, why string) bool {
			p.Failed = append(p.Failed, Obligation{c, why})
			enough = v.first && len(v.held)+len(v.surviving) == 0
			return !enough
		})
		v.result.Procedures = append(v.result.Procedures, p)
		return err
	})
}

// unproved tries to prove the obligations of a query on which candidates depend, or the others, and calls f for each that is not
// proved, with the reason, until f returns false.
func (v *verifier) unproved(ctx context.Context, w *state, q *chc.Clause, candidates bool, f func(c *chc.Clause, why string) bool) error {
	for _, c := range v.heads[q.Body[0].Pred] {
		if v.depends(c) != candidates {
			continue
		}
		why, proved, err := v.obligation(ctx, w, q, c)
		if err != nil {
			return err
		}
		if !proved && !f(c, why) {
			return nil
		}
	}
	return nil
}

// dropUnchecked drops the preconditions that no call is held to, and reports whether there were any.
func (v *verifier) dropUnchecked(roots []*ast.Procedure) bool {
	var dropped []ast.Candidate
	for _, c := range v.candidates {
		if c.Kind == ast.CandidateRequires && v.surviving[c.Pos] && slices.ContainsFunc(roots, func(p *ast.Procedure) bool { return p.Pos == c.Procedure.Pos }) {
			v.surviving[c.Pos] = false
			dropped = append(dropped, c)
		}
	}
	if len(dropped) > 0 && v.encoding != nil {
		v.unsettle(dropped, false)
	}
	return len(dropped) > 0
}

// depends reports whether a candidate that is taken to hold would be dropped if the clause could not be proved.
func (v *verifier) depends(c *chc.Clause) bool {
	specification, constants := v.about(c)
	return specification != nil || len(constants) > 0
}

// about are the specification marked {:candidate} that a clause is about, or the existential constants that guard what it is about: those
// that are taken to hold.
func (v *verifier) about(c *chc.Clause) (specification *ast.Specification, constants []string) {
	segment := v.encoding.Segments[c]
	if segment == nil || segment.Contract == nil {
		return nil, nil
	}
	if s := segment.Contract; s.Candidate() && v.surviving[s.Pos] {
		return s, nil
	}
	ast.Inspect(segment.Contract.Cond, func(x ast.Expr) bool {
		if id, ok := x.(*ast.Identifier); ok && id.Decl.Kind == ast.Constant && v.held[id.Decl.Name] {
			constants = append(constants, id.Decl.Name)
		}
		return true
	})
	return nil, constants
}

// drop drops the candidates that a clause depends on. It returns the specification that it dropped, nil where it was constants.
func (v *verifier) drop(c *chc.Clause) *ast.Candidate {
	specification, constants := v.about(c)
	for _, name := range constants {
		v.held[name] = false
	}
	if specification == nil {
		return nil
	}
	v.surviving[specification.Pos] = false
	i := slices.IndexFunc(v.candidates, func(c ast.Candidate) bool { return c.Pos == specification.Pos })
	if i < 0 {
		return nil
	}
	return &v.candidates[i]
}

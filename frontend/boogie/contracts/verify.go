package contracts

import (
	"context"
	"fmt"
	"slices"
	"time"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/encode"
	"hornbeam/internal/smt"
)

// Options say how a program is verified.
type Options struct {
	// Encode says what is verified; Modular and Native are set, and Candidates are found.
	Encode encode.Options
	// Open opens solvers; Seed is theirs.
	Open smt.Opener
	Seed uint64
	// Each bounds the time for one obligation; 0 is no bound.
	Each time.Duration
}

// Result is what is known of the obligations.
type Result struct {
	// Proved says that all are proved: no run of the program fails.
	Proved bool
	// Procedures are those that were looked at, in order.
	Procedures []Procedure
	// Candidates are the existential constants, in the order of their declaration; Held those that are true at the end.
	Candidates, Held []string
	// Specifications are what is marked {:candidate}, in the order of ast.Candidates, with whether it survived.
	Specifications []Specification
	// Encoding is what the clauses of obligations belong to.
	Encoding *encode.Encoding
	// Obligations is the number of solver checks.
	Obligations int
}

// Specification is something that is marked {:candidate}.
type Specification struct {
	ast.Candidate
	Holds bool
}

// Procedure is what is known of one procedure.
type Procedure struct {
	*ast.Procedure
	// Failed are the obligations that were not proved.
	Failed []Obligation
}

// Obligation is something that is not proved.
type Obligation struct {
	Clause *chc.Clause
	// Why says why, when it is not for a state in which it does not hold.
	Why string
}

// Verify tries to prove all obligations of a checked program. With first, it ends at the first one that is not
// proved and that depends on no candidate. The error is of the encoding, or that of ctx.
func Verify(ctx context.Context, program *ast.Program, first bool, o Options) (*Result, error) {
	o.Encode.Modular, o.Encode.Native = true, true
	result := &Result{}
	held := map[string]bool{}
	for _, v := range program.Constants {
		if v.Attributes.Has("existential") && v.Type == ast.Bool {
			result.Candidates = append(result.Candidates, v.Name)
			held[v.Name] = true
		}
	}
	candidates := ast.Candidates(program)
	surviving := map[chc.Position]bool{}
	for _, c := range candidates {
		// What a procedure without a body ensures is checked nowhere.
		surviving[c.Pos] = c.Kind != ast.CandidateEnsures || len(c.Procedure.Implementations) > 0
	}
	for {
		o.Encode.Candidates, o.Encode.Surviving = held, surviving
		e, err := encode.Encode(ctx, program, term.NewPool(), o.Encode)
		if err != nil {
			return nil, err
		}
		result.Encoding = e
		if dropUnchecked(candidates, e.Roots, surviving) {
			continue
		}
		v := &verifier{Options: o, encoding: e, result: result, first: first, held: held, surviving: surviving}
		dropped, err := v.all(ctx)
		if err != nil {
			return nil, err
		}
		if !dropped {
			break
		}
	}
	result.Proved = len(result.Procedures) > 0 && !slices.ContainsFunc(result.Procedures, func(p Procedure) bool { return len(p.Failed) > 0 })
	for _, name := range result.Candidates {
		if held[name] {
			result.Held = append(result.Held, name)
		}
	}
	for _, c := range candidates {
		result.Specifications = append(result.Specifications, Specification{c, surviving[c.Pos]})
	}
	return result, nil
}

// dropUnchecked drops the preconditions that no call is held to, and reports whether there were any.
func dropUnchecked(candidates []ast.Candidate, roots []*ast.Procedure, surviving map[chc.Position]bool) bool {
	dropped := false
	for _, c := range candidates {
		if c.Kind == ast.CandidateRequires && surviving[c.Pos] && slices.ContainsFunc(roots, func(p *ast.Procedure) bool { return p.Pos == c.Procedure.Pos }) {
			surviving[c.Pos], dropped = false, true
		}
	}
	return dropped
}

// verifier goes once through all obligations.
type verifier struct {
	Options
	encoding *encode.Encoding
	result   *Result
	first    bool
	held     map[string]bool
	// surviving are the places of candidates that are taken to hold.
	surviving map[chc.Position]bool
	heads     map[*chc.Predicate][]*chc.Clause
}

// all goes through the obligations, and reports whether candidates were dropped, so that it has to be done again.
func (v *verifier) all(ctx context.Context) (dropped bool, err error) {
	v.result.Procedures = nil
	v.heads = map[*chc.Predicate][]*chc.Clause{}
	var queries []*chc.Clause
	for _, c := range v.encoding.System.Clauses {
		if c.Head == nil {
			queries = append(queries, c)
		} else {
			v.heads[c.Head.Pred] = append(v.heads[c.Head.Pred], c)
		}
	}
	for _, q := range queries {
		p := Procedure{Procedure: v.encoding.Queries[q]}
		for _, c := range v.heads[q.Body[0].Pred] {
			why, proved, err := v.obligation(ctx, q, c)
			if err != nil {
				return false, err
			}
			if proved {
				continue
			}
			if v.drop(c) {
				dropped = true
				continue
			}
			p.Failed = append(p.Failed, Obligation{c, why})
			if v.first && len(v.held)+len(v.surviving) == 0 {
				v.result.Procedures = append(v.result.Procedures, p)
				return false, nil
			}
		}
		v.result.Procedures = append(v.result.Procedures, p)
	}
	return dropped, nil
}

// obligation tries to refute that a run from the query's state on fails by the clause.
func (v *verifier) obligation(ctx context.Context, query, c *chc.Clause) (why string, proved bool, err error) {
	v.result.Obligations++
	f := newFormula(v.encoding, v.heads)
	if err := f.failure(query, c); err != nil {
		return err.Error(), false, nil
	}
	s, err := v.Open(v.encoding.System.Pool, smt.Config{Seed: v.Seed})
	if err != nil {
		return "", false, fmt.Errorf("prove an obligation: %w", err)
	}
	defer s.Close()
	if patterned, ok := s.(smt.Patterned); ok {
		for q, patterns := range f.patterns {
			patterned.SetPatterns(q, patterns)
		}
	}
	solver, err := s.NewSolver(smt.Params{Matching: true, ArithSolver: 2})
	if err != nil {
		return "", false, fmt.Errorf("prove an obligation: %w", err)
	}
	solver.SetLimit(smt.Limit{Time: v.Each})
	if err := solver.Assert(f.parts...); err != nil {
		return err.Error(), false, nil
	}
	status, err := solver.Check(ctx)
	switch {
	case ctx.Err() != nil:
		return "", false, ctx.Err()
	case err != nil:
		return err.Error(), false, nil
	case status == smt.Unsat:
		return "", true, nil
	case status == smt.Sat:
		return "", false, nil
	}
	return solver.ReasonUnknown(), false, nil
}

// drop drops the candidates that a clause is about or that guard what it is about, and reports whether there are any.
func (v *verifier) drop(c *chc.Clause) bool {
	segment := v.encoding.Segments[c]
	if segment == nil || segment.Contract == nil {
		return false
	}
	if s := segment.Contract; s.Candidate() && v.surviving[s.Pos] {
		v.surviving[s.Pos] = false
		return true
	}
	dropped := false
	ast.Inspect(segment.Contract.Cond, func(x ast.Expr) bool {
		if id, ok := x.(*ast.Identifier); ok && id.Decl.Kind == ast.Constant && v.held[id.Decl.Name] {
			v.held[id.Decl.Name], dropped = false, true
		}
		return true
	})
	return dropped
}

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
	"hornbeam/internal/work"
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
	// Procedure bounds the time for the obligations of one procedure that candidates depend on, and once more for its others; what
	// there is no time for is not proved. 0 is no bound. Time that goes into encoding the program again without candidates that were
	// dropped is taken from that of the procedures which are not done.
	Procedure time.Duration
	// CandidatesOnly leaves out the obligations that no candidate depends on: what is left of the candidates is all that is asked for.
	CandidatesOnly bool
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

// withoutPatterns is the most time for an obligation that patterns have left open.
const withoutPatterns = time.Second

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
	v := &verifier{Options: o, result: result, first: first, held: held, surviving: surviving, candidates: candidates, works: map[task]*state{}}
	for {
		o.Encode.Candidates, o.Encode.Surviving = held, surviving
		e, err := encode.Encode(ctx, program, term.NewPool(), o.Encode)
		if err != nil {
			return nil, err
		}
		result.Encoding = e
		if v.dropUnchecked(e.Roots) {
			continue
		}
		v.take(e)
		if v.until == 0 {
			v.begin(ctx)
		}
		dropped, err := v.infer(ctx)
		if err != nil {
			return nil, err
		}
		if !dropped {
			break
		}
	}
	if !o.CandidatesOnly {
		v.begin(ctx)
		if err := v.rest(ctx); err != nil {
			return nil, err
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

// obligation tries to refute that a run from the query's state on fails by the clause.
func (v *verifier) obligation(ctx context.Context, w *state, query, c *chc.Clause) (why string, proved bool, err error) {
	v.result.Obligations++
	start := work.Now(ctx)
	defer func() { w.spent += work.Since(ctx, start) }()
	each := v.Each
	if v.Procedure > 0 {
		left := min(v.Procedure-w.spent, v.until-work.Now(ctx))
		if left <= 0 {
			return "there is no time left for its procedure", false, nil
		}
		if each == 0 || left < each {
			each = left
		}
	}
	f := newFormula(v.encoding, v.heads)
	if err := f.failure(query, c); err != nil {
		return err.Error(), false, nil
	}
	s, err := v.Open(v.encoding.System.Pool, smt.Config{Seed: v.Seed})
	if err != nil {
		return "", false, fmt.Errorf("prove an obligation: %w", err)
	}
	defer s.Close()
	for q, patterns := range f.patterns {
		s.SetPatterns(q, patterns)
	}
	// Patterns find most proofs, and soon. What those leave open that the solver makes itself may need an instance at which none of them
	// is, as where a quantifier is over a fact about what is not quantified.
	status, why, err := check(ctx, s, smt.Params{Matching: true, ArithSolver: 2}, each, f.parts)
	if err == nil && status == smt.Unknown && ctx.Err() == nil && len(f.patterns) == 0 {
		if left := each - (work.Now(ctx) - start); each == 0 || left > 0 {
			if each == 0 || left > withoutPatterns {
				left = withoutPatterns
			}
			var again smt.Status
			if again, _, err = check(ctx, s, smt.Params{ArithSolver: 2}, left, f.parts); again != smt.Unknown {
				status, why = again, ""
			}
		}
	}
	if ctx.Err() != nil {
		return "", false, ctx.Err()
	}
	if err != nil {
		return err.Error(), false, nil
	}
	return why, status == smt.Unsat, nil
}

// check asks a new solver about formulas, and why it does not know.
func check(ctx context.Context, s smt.Context, p smt.Params, limit time.Duration, parts []*term.Term) (smt.Status, string, error) {
	solver, err := s.NewSolver(p)
	if err != nil {
		return smt.Unknown, "", fmt.Errorf("prove an obligation: %w", err)
	}
	defer solver.Close()
	solver.SetLimit(smt.Limit{Time: limit})
	if err := solver.Assert(parts...); err != nil {
		return smt.Unknown, "", err
	}
	status, err := solver.Check(ctx)
	if err == nil && status == smt.Unknown {
		return status, solver.ReasonUnknown(), nil
	}
	return status, "", err
}

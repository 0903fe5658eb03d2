package trace

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/encode"
	"hornbeam/frontend/boogie/flow"
	"hornbeam/frontend/boogie/interpret"
	"hornbeam/frontend/trace"
	"hornbeam/internal/smt"
)

// ErrUndetermined is wrapped where it cannot be said whether a refutation is a run of the program that fails.
var ErrUndetermined = errors.New("undetermined")

// ErrorProcedures are those that no run may enter.
var ErrorProcedures = []string{"reach_error", "__VERIFIER_error"}

// Options say how a refutation is replayed.
type Options struct {
	// ErrorProcedures are those that no run may enter beside the usual ones.
	ErrorProcedures []string
	// Open opens a solver. It decides whether there are functions for which a run that depends on quantifiers is a
	// run of the program; with nil such runs are undetermined.
	Open smt.Opener
	// Fuel is how many statements a run may have; 0 stands for the interpreter's default.
	Fuel int
	// Observe is called for the events of the run, with Open of two runs, and of the earlier runs whose maps were
	// repaired; it may be nil.
	Observe func(interpret.Event)
}

// maxRepairs bounds the runs that are started again with repaired maps.
const maxRepairs = 1000

// Replay runs the program as a refutation of its clauses says. When the run fails, it is a bug of the program, whatever
// the clauses are, and Replay returns it. An error that wraps ErrUndetermined says that the run could not be followed to
// its end, any other one that the refutation is no run that fails. Encodings of contracts only have no runs.
func Replay(ctx context.Context, e *encode.Encoding, r *witness.Refutation, o Options) (*trace.Trace, error) {
	if len(r.Steps) == 0 {
		return nil, errors.New("a refutation without steps")
	}
	query := r.Steps[len(r.Steps)-1]
	entry, start := e.Queries[query.Clause], e.Starts[query.Clause]
	if entry == nil || start == nil {
		return nil, errors.New("the refutation is of no query of the program")
	}
	s := &script{encoding: e, steps: r.Steps, evaluators: map[int]*term.Evaluator{}}
	if err := s.run(query.Premises[0]); err != nil {
		return nil, err
	}
	repairs := map[int][]interpret.Repair{}
	run := func(open smt.Opener) (*trace.Trace, error) {
		var replayer *replayer
		var recorded *recorder
		var outcome interpret.Outcome
		var err error
		for range maxRepairs {
			replayer, recorded = newReplayer(s, start, s.evaluator(len(r.Steps)-1), repairs), &recorder{}
			observe := recorded.observe
			if o.Observe != nil {
				observe = func(e interpret.Event) {
					recorded.observe(e)
					o.Observe(e)
				}
			}
			outcome, err = interpret.Run(ctx, e.Program, replayer, interpret.Options{
				Entry: entry, Errors: slices.Concat(ErrorProcedures, o.ErrorProcedures), Fuel: o.Fuel, Observe: observe,
				ExitIsError: e.Meanings[query.Clause.Body[0].Pred].Kind == encode.Summary,
				Defer:       open != nil, Fails: replayer.fails(Failing(e, r)),
			})
			// The clauses have an assumption about all entries of a map for some entries only. The values of the others are chosen here.
			if err != nil || outcome.Kind != interpret.Blocked || !replayer.repair(outcome.Repairs) {
				break
			}
		}
		switch {
		case err != nil:
			return nil, fmt.Errorf("replay a refutation: %w", err)
		case outcome.Kind == interpret.Undetermined || outcome.Kind == interpret.OutOfFuel:
			return nil, fmt.Errorf("%w: %s: %s", ErrUndetermined, outcome.Pos, outcome.What)
		case outcome.Kind != interpret.Failed:
			return nil, fmt.Errorf("the run does not fail: %s", outcome)
		}
		if len(outcome.Deferred) > 0 {
			if err := confirm(ctx, e.Program, replayer, outcome, open); err != nil {
				return nil, err
			}
		}
		return newTrace(e.Program, recorded), nil
	}
	t, err := run(nil)
	if err == nil || o.Open == nil || ctx.Err() != nil {
		return t, err
	}
	if t, again := run(o.Open); again == nil {
		return t, nil
	}
	return nil, err
}

// Failing is the clause for the place where the run of a refutation fails, in whichever call that is; nil when it is none
// of a command's.
func Failing(e *encode.Encoding, r *witness.Refutation) *chc.Clause {
	if len(r.Steps) == 0 || len(r.Steps[len(r.Steps)-1].Premises) == 0 {
		return nil
	}
	step := r.Steps[r.Steps[len(r.Steps)-1].Premises[0]]
	for {
		segment := e.Segments[step.Clause]
		if segment == nil || segment.To != nil {
			return nil
		}
		last := len(step.Clause.Body) - 1
		if segment.Callee == nil || last < 0 || e.Meanings[step.Clause.Body[last].Pred].Kind != encode.Failure {
			return step.Clause
		}
		step = r.Steps[step.Premises[last]]
	}
}

// Obligation says in a line what is not proved where procedures are taken by their contracts: the assertion, invariant,
// precondition or postcondition at the end of a refutation.
func Obligation(e *encode.Encoding, r *witness.Refutation) string {
	for _, step := range slices.Backward(r.Steps) {
		if segment := e.Segments[step.Clause]; segment != nil && segment.To == nil && segment.Last != nil {
			return Describe(e, step.Clause)
		}
	}
	return ""
}

// Describe says in a line what fails in runs that a clause for a failure is about.
func Describe(e *encode.Encoding, clause *chc.Clause) string {
	segment := e.Segments[clause]
	if segment == nil {
		return ""
	}
	p := segment.Graph.Implementation.Procedure.Name
	pos := clause.Pos
	if c := segment.Contract; c != nil {
		return fmt.Sprintf("%s: in %s, %s may not hold (%s)", pos, p, ast.String(c.Cond), c.Pos)
	}
	if segment.Callee != nil {
		return fmt.Sprintf("%s: in %s, %s may be entered", pos, p, segment.Callee.Name)
	}
	if segment.Before < len(segment.Last.Block.Commands) {
		if c := segment.Last.Block.Commands[segment.Before]; c.Kind == flow.Assert {
			return fmt.Sprintf("%s: in %s, %s may not hold", pos, p, ast.String(c.Cond))
		}
	}
	return fmt.Sprintf("%s: in %s, a condition may not hold", pos, p)
}

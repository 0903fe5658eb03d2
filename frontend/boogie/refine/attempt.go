package refine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"hornbeam/chc"
	"hornbeam/chc/witness"
	"hornbeam/frontend"
	"hornbeam/frontend/boogie/encode"
	replay "hornbeam/frontend/boogie/trace"
	"hornbeam/frontend/trace"
)

// maxSpurious bounds the places that are left out of the clauses since a refutation there was spurious.
const maxSpurious = 30

// Attempt is an encoded Boogie program; see frontend.Attempt. A program of which a place was passed over is not proved any more.
type Attempt struct {
	// Trace is the run that fails, when the program is unsafe.
	Trace *trace.Trace
	// Failing is the segment in which that run fails, nil where none is known.
	Failing *encode.Segment

	encoding *encode.Encoding
	options  replay.Options
	system   *chc.System
	// first is why the first refutation is none of the program; empty as long as there was none.
	first  string
	passed int
}

// New returns an attempt that replays refutations with the options.
func New(e *encode.Encoding, o replay.Options) *Attempt {
	return &Attempt{encoding: e, options: o, system: e.System}
}

// Clauses are those of the encoding, but for the places that were passed over.
func (a *Attempt) Clauses(context.Context) (*frontend.Clauses, error) {
	return &frontend.Clauses{System: a.system, Candidates: a.encoding.Candidates}, nil
}

// Proved takes a model for a proof, unless a place was passed over.
func (a *Attempt) Proved(*witness.Model) frontend.Finding {
	if a.passed > 0 {
		return frontend.Finding{Reason: a.first}
	}
	return frontend.Finding{Step: frontend.Safe}
}

// Refuted turns a refutation into a run of the program. Only one that fails is a bug.
func (a *Attempt) Refuted(ctx context.Context, r *witness.Refutation) frontend.Finding {
	t, err := replay.Replay(ctx, a.encoding, r, a.options)
	approximated := a.encoding.Program.Approximated
	exact := a.encoding.System.Approximation != chc.Over
	reason := ""
	switch {
	case err == nil && len(approximated) > 0:
		// The tree approximates the program, so that no run of it is known to be a run of the program.
		at := approximated[0]
		return frontend.Finding{Reason: a.Open(fmt.Sprintf("a run fails, but the program is only approximated at %s: %s", at.Pos, at.What))}
	case err == nil:
		a.Trace, a.Failing = t, a.encoding.Segments[replay.Failing(a.encoding, r)]
		return frontend.Finding{Step: frontend.Unsafe}
	case ctx.Err() != nil:
		return frontend.Finding{Reason: a.Open("no time is left to replay the bug")}
	case exact && !errors.Is(err, replay.ErrUndetermined):
		return frontend.Finding{Reason: fmt.Sprintf("internal error: the bug that was found does not replay: %s", err), Internal: true}
	case exact:
		reason = fmt.Sprintf("a bug was found that cannot be replayed: %s", err)
	default:
		reason = fmt.Sprintf("the bug that was found may be none: %s; a refutation of the clauses may be no run of the program: %s",
			err, strings.Join(a.encoding.System.Notes, "; "))
	}
	if a.first == "" {
		a.first = reason
	}
	if a.passed >= maxSpurious || len(approximated) > 0 || !a.passOver(replay.Failing(a.encoding, r)) {
		return frontend.Finding{Reason: a.first}
	}
	return frontend.Finding{Step: frontend.Again, Reason: a.first}
}

// passOver takes the clause of a place out of the system, and reports whether it was there.
func (a *Attempt) passOver(failing *chc.Clause) bool {
	i := slices.Index(a.system.Clauses, failing)
	if failing == nil || i < 0 {
		return false
	}
	without := *failing
	without.Constraint = a.system.Pool.False()
	system := *a.system
	system.Clauses = slices.Clone(system.Clauses)
	system.Clauses[i] = &without
	a.system = &system
	a.passed++
	return true
}

// Open returns the reason why the first refutation is none of the program, if there was one, and else that of the clauses.
func (a *Attempt) Open(reason string) string {
	if a.first != "" {
		return a.first
	}
	return reason
}

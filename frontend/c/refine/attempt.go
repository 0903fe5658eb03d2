package refine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/expand"
	"hornbeam/chc/witness"
	"hornbeam/frontend"
	"hornbeam/frontend/boogie/encode"
	"hornbeam/frontend/c/interpret"
	"hornbeam/frontend/c/lower"
	"hornbeam/frontend/c/lower/loops"
	"hornbeam/frontend/c/machine"
	"hornbeam/frontend/c/origin"
	"hornbeam/frontend/c/translate"
	"hornbeam/frontend/c/tree"
	"hornbeam/internal/work"
)

// maxRounds is how often a program is refined at most.
const maxRounds = 300

// Attempt is a program in one representation; see frontend.Attempt.
type Attempt struct {
	Evidence
	// Counts are the sizes of the lowerings.
	Counts Counts
	// Unexpanded are the names of the arrays that Options.Expand leaves as they are.
	Unexpanded []string

	program        *tree.Program
	options        Options
	representation representation
	lower          lower.Options
	lowered        *lower.Lowered
	rounds         int
	// overflow is where the run of a refutation leaves the range of a type; it has no line if none was found.
	overflow chc.Position
	// addressBits is how many bits addresses have where they are vectors, else 0.
	addressBits int
	// copies are how many copies of iterations and of recursive procedures a representation with cuts makes, and cuts the places
	// behind which it has no more.
	copies loops.Counts
	cuts   map[chc.Position]bool
	// bounded says that loops seem to have bounds.
	bounded bool
	// stopped is a place that can't be handled and that a run may come to; nil if that was not found.
	stopped *origin.Unsupported
}

// Counts are the figures of an attempt's rounds, and what the last of them lowered.
type Counts struct {
	Rounds, Spurious, Occurrences, Classes, Vectors, Corrections int
}

// begin translates a program for a representation. Where ranges do not bound the loops of one that is to be unwound, there is an
// attempt without clauses.
func begin(ctx context.Context, p *tree.Program, o Options, r representation) (*Attempt, error) {
	a := &Attempt{program: p, options: o, representation: r, copies: loops.Counts{At: map[chc.Position]int{}, Other: firstCopies}}
	var err error
	if o.Unwind > 0 {
		// After the last turn a loop's test is evaluated once more.
		a.copies.Other, a.copies.Fixed, a.copies.Ended = o.Unwind+1, true, map[chc.Position]bool{}
	}
	if a.Runner, err = interpret.New(p, o.Run()); err != nil {
		return nil, err
	}
	bounded := true
	if r.cut && o.Unwind == 0 {
		if bounded, err = a.setFirstCopies(ctx); err != nil {
			return nil, err
		}
	}
	a.bounded = bounded
	return a, a.translate(ctx, translate.StopsFail)
}

// setFirstCopies lets the first copies be as many as random runs need. Where these need many, there may be no bound: then it reports false.
func (a *Attempt) setFirstCopies(ctx context.Context) (bounded bool, err error) {
	o := a.options.Run()
	o.Steps = sampledSteps
	longest, err := sample(ctx, a.program, o, sampledRuns)
	if err != nil {
		return false, fmt.Errorf("count the turns of loops in random runs: %w", err)
	}
	bounded = true
	set := func(pos chc.Position, n int) {
		bounded = bounded && n <= sampledCopies
		if n > firstCopies && n <= sampledCopies {
			a.copies.At[pos] = n
		}
	}
	for loop, turns := range longest.turns {
		// The test is evaluated once more.
		set(loop.Pos(), turns+1)
	}
	for function, depth := range longest.depth {
		set(function.Pos, depth)
	}
	return bounded, nil
}

// Run are the options of runs of the program.
func (o Options) Run() interpret.Options {
	return interpret.Options{
		Entry: o.Translate.Entry, ErrorLabel: o.Translate.ErrorLabel, Faults: o.Translate.Faults, Except: o.Translate.Except, MayFail: o.Translate.MayFail,
		EndAtOverflow: o.Translate.EndAtOverflow, Steps: o.Steps,
	}
}

// translate begins with a translation of the program in which runs that come to what can't be handled fail or end.
func (a *Attempt) translate(ctx context.Context, stops translate.Stops) error {
	a.options.Translate.Stops, a.rounds = stops, 0
	var err error
	if a.Translation, err = translate.Translate(ctx, a.program, a.options.Translate); err != nil {
		return err
	}
	if err := machine.Declare(a.Translation.Program); err != nil {
		return err
	}
	a.lower = lower.Options{Mode: a.options.Mode, PointerBits: int(8 * a.program.Model.PointerBytes), Unbounded: a.options.Unbounded, Plan: &lower.Plan{}}
	a.representation.lower(&a.lower)
	if a.lower.Mode == lower.AllVectors {
		a.addressBits = a.lower.PointerBits
		return nil
	}
	a.lower.Elements = lower.Elements(a.Translation.Program, a.lower.PointerBits)
	a.Translation.Origins.Elements = a.lower.Elements
	return nil
}

// writeOutLoops writes out all loops of a program that is to be unwound, and of others those whose bit operations that makes
// exact, in the modes that are after that. It reports whether there is a program to be decided then.
func (a *Attempt) writeOutLoops(ctx context.Context) (bool, error) {
	var unrolled *loops.Unrolled
	var err error
	switch {
	case a.representation.cut:
		if !a.bounded && a.seeksBounds() {
			return false, nil // As bit-vectors, a bug may be found in it.
		}
		var small bool
		unrolled, small, err = loops.Cut(ctx, a.Translation.Program, a.lower.PointerBits, a.copiesTails(), a.copies)
		if err != nil || !small || len(unrolled.Cuts) == 0 && a.options.Unwind == 0 {
			return false, err // Without cuts it is what the strategies make that unwind.
		}
		a.cuts = unrolled.Cuts
		for name, first := range unrolled.Procedures {
			a.Translation.Origins.Functions[name] = a.Translation.Origins.Functions[first]
		}
	case a.representation.unwind:
		var bounded bool
		unrolled, bounded, err = loops.Unwind(ctx, a.Translation.Program, a.lower.PointerBits, a.copiesTails())
		// Without loops, bit-vectors are another representation, and integers are not.
		if err != nil || !bounded || len(unrolled.Origin) == 0 && a.lower.Mode != lower.AllVectors {
			return false, err
		}
	case a.lower.Mode != lower.Ranged && a.lower.Mode != lower.Guided:
		return true, nil
	default:
		if unrolled, err = lower.Unroll(ctx, a.Translation.Program, a.lower); err != nil {
			return false, err
		}
	}
	a.LoopsWrittenOut = len(unrolled.Origin) > 0 && (a.representation.cut || a.representation.unwind)
	a.Translation.Program, a.lower.Copies, a.lower.Known = unrolled.Program, unrolled.Origin, unrolled.Known
	for _, l := range unrolled.Residual {
		// What is known of a residual loop says nothing about the source's loop.
		delete(a.Translation.Origins.Loops, l)
		delete(a.Translation.Origins.Labels, l)
	}
	return true, nil
}

// copiesTails reports whether what follows a loop is copied for each of its ends. Formulas over bit-vectors are easier when they are small,
// but for products, which polynomials over constants say more of than choices do.
func (a *Attempt) copiesTails() bool {
	return a.lower.Mode != lower.AllVectors || loops.Multiplies(a.Translation.Program)
}

// Clauses lowers and encodes the program, as precisely as the rounds before have asked for. There are none where the loops of a
// program that is to be unwound have no bounds, or nothing is to be lifted.
func (a *Attempt) Clauses(ctx context.Context) (*frontend.Clauses, error) {
	if a.rounds == 0 {
		if bounded, err := a.writeOutLoops(ctx); err != nil || !bounded {
			return nil, err
		}
	}
	lowered, err := lower.Lower(ctx, a.Translation.Program, a.lower)
	if err != nil {
		return nil, err
	}
	if a.representation.lifted && a.rounds == 0 && len(lowered.Occurrences) == 0 {
		return nil, nil // there is nothing to lift: it would be what ranged integers are
	}
	a.lower.Known = lowered.Known
	encoding, err := encode.Encode(ctx, lowered.Program, term.NewPool(), encode.Options{Entry: a.Translation.EntryName, Blocks: a.blocks()})
	if err != nil {
		return nil, err
	}
	if a.seeksBounds() && a.isLarge(encoding.System) {
		return nil, nil
	}
	if a.rounds == 0 && a.bounded && a.representation.preferred > 0 {
		a.prefer(ctx, lowered, encoding.System)
	}
	a.rounds++
	a.lowered, a.Encoding = lowered, encoding
	a.Counts.Rounds++
	a.Counts.Occurrences += len(lowered.Occurrences)
	a.Counts.Classes, a.Counts.Vectors, a.Counts.Corrections = lowered.Classes, lowered.Vectors, lowered.Corrections
	out := &frontend.Clauses{System: encoding.System, Unwound: a.representation.cut || a.representation.unwind}
	if a.representation.congruences {
		out.Engine, out.Options = congruencesEngine, congruencesOptions
	}
	if a.options.Expand {
		var lengths expand.Lengths
		lengths, a.Unexpanded = arrayLengths(a.Translation, encoding)
		out.First = []transform.Pass{expand.Pass(lengths)}
	} else {
		out.Candidates = encoding.Candidates
	}
	return out, nil
}

// WritesOutLoops reports whether a proof says nothing of the program's loops.
func (a *Attempt) WritesOutLoops() bool { return a.LoopsWrittenOut }

// Proved takes a model for a proof, if the lowering allows it; if not, another round may.
func (a *Attempt) Proved(model *witness.Model) frontend.Finding {
	if a.Translation.Fewer {
		// The runs that were left out may do anything.
		return a.open("no error is reached by runs that do not come to what can't be handled")
	}
	if !a.lowered.Relation.Proves() {
		// Without bounds nothing goes wrong: the same has to be shown of overflows.
		a.lower.Checked = true
		return a.again("no error is reached if integers have no bounds, which says nothing about the machine's")
	}
	if beyond := a.Beyond(); len(beyond) > 0 {
		return a.open(fmt.Sprintf("no violation within %d turns of loops and of recursion; the bound leaves out what runs do that go on at %s", a.options.Unwind, strings.Join(beyond, ", ")))
	}
	a.Model = model
	return frontend.Finding{Step: frontend.Safe}
}

// Refuted runs the program as a refutation says.
func (a *Attempt) Refuted(ctx context.Context, refutation *witness.Refutation) frontend.Finding {
	r := a.replay(ctx, refutation)
	switch {
	case r.reached:
		return frontend.Finding{Step: frontend.Unsafe}
	case ctx.Err() != nil:
		return a.open("no time is left to run what was found")
	}
	a.Counts.Spurious++
	stopsFail := a.options.Translate.Stops == translate.StopsFail
	if a.cuts[r.failed] {
		return a.goFurther(ctx, r)
	}
	refined := (a.stopped == nil || !stopsFail) && lower.Refine(a.lowered, a.lower, r.executed)
	switch {
	case r.internal:
		return frontend.Finding{Reason: r.reason, Internal: true}
	case refined:
		return a.again(r.reason)
	case a.stopped == nil && stopsFail:
		a.stopped = a.Translation.Stop(r.failed)
	}
	if a.stopped != nil && stopsFail {
		// Nothing is proved any more, but the runs that do not come there may still reach the error.
		if err := a.translate(ctx, translate.StopsEnd); err != nil {
			return a.open(err.Error())
		}
		return frontend.Finding{Step: frontend.Again}
	}
	if r.abstract != "" && a.options.Unproved != nil {
		a.options.Unproved(r.failed, r.abstract)
	}
	return a.open(r.reason + a.inexact())
}

// goFurther copies twice as many of the iterations or calls that a run goes beyond.
func (a *Attempt) goFurther(ctx context.Context, r replayed) frontend.Finding {
	if a.options.Unwind > 0 {
		a.copies.Ended[r.failed] = true
		return a.anew(ctx, fmt.Sprintf("a run goes on at %s after %d turns", r.failed, a.options.Unwind))
	}
	before := a.copies.Of(r.failed)
	a.copies.At[r.failed] = 2 * before
	reason := fmt.Sprintf("a run goes beyond %d copies of what is at %s", before, r.failed)
	if 2*before > boundedCopies {
		if a.integers() {
			return a.open(reason)
		}
		a.bounded = false
		work.Of(ctx).Prefer(0)
	}
	return a.anew(ctx, reason)
}

// prefer puts the work on a system that is written out before that of others: again with more copies, since the question before was
// answered. Of integers, and where constants do not bound the loops, it does so where the system is small, and of integers where nothing works
// on bits, which would be sums that solvers get lost in.
// Nobody works for the race when the attempt has ended, so that nothing is to be released then.
func (a *Attempt) prefer(ctx context.Context, lowered *lower.Lowered, sys *chc.System) {
	preferred := a.representation.preferred
	guessed := a.integers() || a.representation.cut
	if a.integers() && len(lowered.Occurrences) > 0 || guessed && len(sys.Clauses) > preferredClauses {
		preferred = 0
	}
	work.Of(ctx).Prefer(preferred)
}

// seeksBounds reports whether integers are written out as far as runs go, in search of a bound.
func (a *Attempt) seeksBounds() bool {
	return a.representation.cut && a.integers() && a.options.Unwind == 0
}

// isLarge reports whether a system is too large for the copies that are made so far, in an attempt that seeks bounds.
func (a *Attempt) isLarge(sys *chc.System) bool {
	if a.Counts.Rounds == 0 {
		return len(sys.Clauses) > preferredClauses
	}
	return len(sys.Clauses) > boundedClauses
}

// integers reports whether the representation has integers where the program has bits.
func (a *Attempt) integers() bool { return a.lower.Mode != lower.AllVectors }

// anew begins with another number of copies.
func (a *Attempt) anew(ctx context.Context, reason string) frontend.Finding {
	if err := a.translate(ctx, a.options.Translate.Stops); err != nil {
		return a.open(err.Error())
	}
	return frontend.Finding{Step: frontend.Again, Reason: reason}
}

// Beyond are the places of loops, and of recursive procedures, that runs go on at beyond the bound of turns.
func (a *Attempt) Beyond() []string {
	var out []string
	for pos := range a.copies.Ended {
		out = append(out, pos.String())
	}
	slices.Sort(out)
	return out
}

func (a *Attempt) again(reason string) frontend.Finding {
	if a.rounds >= maxRounds {
		return a.open(fmt.Sprintf("more than %d refinements", maxRounds))
	}
	return frontend.Finding{Step: frontend.Again, Reason: reason}
}

func (a *Attempt) open(reason string) frontend.Finding {
	return frontend.Finding{Reason: a.Open(reason)}
}

// Open returns why the program stays open where the last round's clauses, or their witness, do for a reason.
func (a *Attempt) Open(reason string) string {
	switch {
	case a.stopped != nil && a.options.Translate.Stops == translate.StopsEnd:
		return fmt.Sprintf("%s, and a run may come there", a.stopped)
	case reason == "" && a.rounds == 0:
		if a.options.Unwind > 0 {
			return fmt.Sprintf("so many copies of its loops as %d turns need are too large", a.options.Unwind)
		}
		return "the turns of its loops are not bounded by constants"
	}
	return reason
}

// blocks are small where loops are written out: what differs between the ways through a procedure is a choice in their formula then.
func (a *Attempt) blocks() encode.Blocks {
	if a.representation.cut || a.representation.unwind {
		return encode.Basic
	}
	return a.options.Blocks
}

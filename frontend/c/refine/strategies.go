package refine

import (
	"context"
	"slices"
	"time"

	"hornbeam/chc"
	"hornbeam/frontend"
	"hornbeam/frontend/boogie/encode"
	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/lower"
	"hornbeam/frontend/c/translate"
	"hornbeam/frontend/c/tree"
)

// Options say what is asked about a program and how it is represented.
type Options struct {
	Translate translate.Options
	Mode      lower.Mode
	// Unbounded takes signed arithmetic for exact on unbounded integers.
	Unbounded bool
	Blocks    encode.Blocks
	// Defined looks, beside a proof of all runs, for one of the runs in which no signed operation overflows, and for one that
	// none does. It is for the mode Ranged.
	Defined bool
	// Vectors tries the mode AllVectors beside the other.
	Vectors bool
	// Expand gives the arrays of constant length a variable for each element.
	Expand bool
	// Unwind is how many turns of each loop, and calls of each recursive procedure inside one another, are looked at; 0 stands for all.
	Unwind int
	// Steps is how long the run of a refutation may be; 0 stands for the interpreter's default.
	Steps int64
	// Unproved is told of what contracts and invariants do not prove, where runs violate it that only they allow; nil tells nobody. It
	// is called by several goroutines at once.
	Unproved func(at chc.Position, what string)
}

// representation is how a strategy represents a program.
type representation struct {
	name string
	// lower changes the options of the lowering.
	lower func(*lower.Options)
	// unwind writes out all loops; the attempt ends where ranges do not bound them.
	unwind bool
	// cut writes out so many iterations and calls as the runs need that the attempt finds, with an assertion behind them.
	cut bool
	// preferred is how much of its work comes before that of others, if loops have bounds in all runs that are tried.
	preferred time.Duration
	// congruences is for programs whose unsigned numbers may wrap around: of what holds modulo 2^width an engine says all there is, soon.
	congruences bool
	// lifted is for programs with operations that are not exact at first; of others there are no clauses.
	lifted bool
}

// The strategies of a program that may wrap around: unbounded signed integers cover the runs without overflow, and are all runs
// where the same is proved of every overflow; ranged integers and bit-vectors are exact. Few run at once: what engines infer within
// a second on a core of their own takes them many when four strategies share two.
const (
	// rangedAfter and vectorsAfter were measured on SV-COMP's and Quokka's programs: earlier starts cost more proofs over
	// unbounded integers than they find.
	rangedAfter  = 4 * time.Second
	bitsAfter    = 500 * time.Millisecond
	vectorsAfter = 8 * time.Second
	boundedAfter = 2 * time.Second
	// earlyVectors is when bit-vectors are tried of small programs that have operations on bits: of many of these they are the proof, in a
	// second of a core.
	earlyVectors = time.Second
	// congruencesAfter is when most programs without a hard question are decided.
	congruencesAfter = time.Second
	// liftedAfter leaves the refinements of ranged integers their time: what they help they help within a second.
	liftedAfter = 2 * time.Second
)

// Programs with their loops written out are one formula, which is decided or not. unwoundShare is that of bit-vectors, and integersShare that
// of integers, of which a solver decides most within a second or not at all.
const (
	unwoundShare  = 2
	integersShare = 4
)

// unwoundPreferred and integersPreferred are how much of their work comes before that of others, where loops have bounds or seem to have: most
// of these formulas that are decided at all are decided within seconds, and what Z3 counts for sums and choices is ten times as much.
const (
	unwoundPreferred  = 6 * time.Second
	integersPreferred = 4 * time.Second
)

// firstCopies are written out at first of each loop without known bounds, and of each recursive procedure.
const firstCopies = 2

// Of loops that random runs go through, so many copies are written out at first as these need, up to sampledCopies. Where runs need more
// than those and than boundedCopies, there may be no bound: bit-vectors do not come before others then, and integers are left to others.
const (
	sampledRuns   = 16
	sampledSteps  = 1000
	sampledCopies = 40
	boundedCopies = 16
)

// Programs with their loops written out come before others, as integers or if constants do not bound their loops, while they have no more
// than preferredClauses. As integers they are left to others where they have more at first, or than boundedClauses later, if constants do not
// bound their loops: those are the turns of a machine that has many states.
const (
	preferredClauses = 400
	boundedClauses   = 1500
)

// Strategies are the ways to decide a program, in the order of their starts.
func Strategies(p *tree.Program, o Options) []frontend.Strategy[*Attempt] {
	strategy := func(r representation) frontend.Strategy[*Attempt] {
		return frontend.Strategy[*Attempt]{Name: r.name, Begin: func(ctx context.Context) (*Attempt, error) { return begin(ctx, p, o, r) }}
	}
	same := func(*lower.Options) {}
	ranged := strategy(representation{name: "ranged", lower: same})
	ranged.After, ranged.Main, ranged.Turns = rangedAfter, true, true
	checked := strategy(representation{name: "checked", lower: func(o *lower.Options) { o.Unbounded, o.Checked = true, true }})

	if o.Unwind > 0 {
		all := []frontend.Strategy[*Attempt]{strategy(representation{name: "bounded", lower: same, cut: true})}
		all[0].Main = true
		if o.Vectors && !o.Unbounded && !o.Translate.Faults.Has(fault.Dereference, fault.Free) {
			vectors := strategy(representation{name: "bounded vectors", lower: func(o *lower.Options) { o.Mode = lower.AllVectors }, cut: true})
			vectors.After = bitsAfter
			all = append(all, vectors)
		}
		return all
	}
	all := []frontend.Strategy[*Attempt]{strategy(representation{name: "only", lower: same})}
	switch {
	case !o.Defined || o.Mode != lower.Ranged || o.Unbounded || o.Translate.EndAtOverflow:
	case o.Translate.Faults.Has(fault.Overflow):
		// Whatever overflows is an error.
		all = []frontend.Strategy[*Attempt]{checked, ranged}
	default:
		unbounded := strategy(representation{name: "unbounded", lower: func(o *lower.Options) { o.Unbounded = true }})
		unbounded.Conditional = true
		checked.Discharges = true
		all = []frontend.Strategy[*Attempt]{unbounded, ranged, checked}
	}
	if !o.Vectors && o.Mode == lower.Ranged && !o.Unbounded {
		// Exact bits of integers are sums that solvers get lost in: x ^ y ^ y is x at once for bit-vectors only.
		lifted := strategy(representation{name: "lifted", lifted: true, lower: func(o *lower.Options) { o.Mode = lower.Guided }})
		lifted.After = liftedAfter
		all = append(all, lifted)
	}
	if o.Vectors && o.Mode != lower.AllVectors && !o.Unbounded {
		asVectors := func(o *lower.Options) { o.Mode = lower.AllVectors }
		vectors := strategy(representation{name: "vectors", lower: asVectors})
		vectors.After, vectors.Turns = vectorsAfter, true
		if computesBits(p) {
			vectors.After = earlyVectors
		}
		bits := strategy(representation{name: "unwound vectors", lower: asVectors, unwind: true, preferred: unwoundPreferred})
		bits.After, bits.Share = bitsAfter, unwoundShare
		bounded := strategy(representation{name: "bounded vectors", lower: asVectors, cut: true, preferred: unwoundPreferred})
		bounded.After, bounded.Share = boundedAfter, unwoundShare
		unwound := strategy(representation{name: "unwound", lower: same, unwind: true, preferred: integersPreferred})
		unwound.Share = integersShare
		all = slices.Insert(all, 1, unwound)
		if !o.Translate.Faults.Has(fault.Dereference, fault.Free) {
			// Bounds of objects are compared with addresses that do not wrap around.
			integers := strategy(representation{name: "bounded", lower: same, cut: true, preferred: integersPreferred})
			integers.Share = integersShare
			unwinding := []frontend.Strategy[*Attempt]{integers, bits, bounded}
			if wraps(p) {
				congruences := strategy(representation{name: "congruences", lower: asVectors, congruences: true})
				congruences.After = congruencesAfter
				unwinding = append(unwinding, congruences)
			}
			all = append(slices.Insert(all, 2, unwinding...), vectors)
		}
	}
	return all
}

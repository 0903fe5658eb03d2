package spacer

import (
	"context"
	"fmt"
	"slices"
	"time"

	"hornbeam/chc"
	"hornbeam/chc/rule"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/internal/itp"
	"hornbeam/internal/smt"
	"hornbeam/mbp"
)

// prover is one run of the engine on one system.
type prover struct {
	*problem
	settings  engine.Settings
	options   options
	smt       smt.Context
	projector *mbp.Projector
	// separation and farkas are the options of half-space lemmas.
	separation itp.SeparateOptions
	farkas     itp.FarkasOptions
	start      time.Time
	// constants are the numerals of the problem, their neighbours and their negations, in increasing order.
	constants []term.Num
	// congruenceModuli are tried, in this order, for congruences.
	congruenceModuli []term.Num
	// plainSolver knows no rules: it is asked about literals by themselves. plainChecks counts its checks.
	plainSolver                         smt.Solver
	plainChecks                         int
	nextObligation, nextLemma, nextFact int
	// lowest is the lowest level at which a lemma was learned since the last propagation.
	lowest int
	// exchange is where lemmas are posted and read, nil where nothing is shared; unposted has the lemmas at infinity
	// that were not posted yet, and reading says that those being learned are others'.
	exchange *engine.Participant
	unposted []*lemma
	reading  bool
}

// solve decides a system.
func solve(ctx context.Context, sys *chc.System, settings engine.Settings, opts options) (engine.Answer, error) {
	smtContext, err := settings.Open(sys.Pool, smt.Config{Seed: settings.Seed})
	if err != nil {
		return engine.Answer{}, fmt.Errorf("open a solver context: %w", err)
	}
	defer smtContext.Close()
	pr := &prover{
		problem: newProblem(sys, opts), settings: settings, options: opts, smt: smtContext,
		projector: mbp.New(sys.Pool, mbp.Options{SubstituteArrays: !opts.arrayProjection}), start: time.Now(), lowest: infinity,
		exchange: settings.Exchange.Join(sys),
	}
	pr.constants = pr.comparedConstants()
	pr.congruenceModuli = pr.moduli
	if two := term.NewInt(2); !slices.ContainsFunc(pr.moduli, two.Equal) {
		pr.congruenceModuli = append(slices.Clone(pr.moduli), two)
	}
	limit := itp.Limit{Done: ctx.Done()}
	pr.separation = itp.SeparateOptions{Constants: pr.constants, Limit: limit}
	pr.farkas = itp.FarkasOptions{Constants: pr.constants, Limit: limit}
	answer, err := pr.run(ctx)
	pr.finish()
	return engine.Ended(ctx, "spacer", answer, err)
}

// run is the outer loop: for growing bounds, block the goal and push lemmas until one side wins.
func (pr *prover) run(ctx context.Context) (engine.Answer, error) {
	if err := pr.seedFacts(); err != nil {
		return engine.Answer{}, err
	}
	if err := pr.share(); err != nil {
		return engine.Answer{}, err
	}
	pr.count("rule.Candidate", 1)
	for bound := 0; ; bound++ {
		pr.set("level", int64(bound))
		if pr.tracing() {
			pr.emit("level", engine.Field{Name: "bound", Value: bound})
		}
		pr.separation.Strength = pr.options.strengthAt(bound)
		pr.farkas.Strength = pr.separation.Strength
		root := pr.obligationFor(pr.goal, nil, bound, nil)
		reached, err := pr.block(ctx, root)
		if err != nil {
			return engine.Answer{}, err
		}
		if reached {
			pr.count("rule.Unsafe", 1)
			refutation, err := pr.refutation(ctx)
			return engine.Answer{Verdict: engine.Unsat, Refutation: refutation}, err
		}
		if bound > 0 || pr.goalBlocked() {
			inductive, err := pr.propagate(ctx, bound)
			if err != nil {
				return engine.Answer{}, err
			}
			if inductive {
				pr.count("rule.Safe", 1)
				return engine.Answer{Verdict: engine.Sat, Model: pr.model()}, nil
			}
		}
		pr.count("rule.Unfold", 1)
	}
}

// model is the inductive frame: of each predicate the conjunction of its lemmas at infinity.
func (pr *prover) model() *witness.Model {
	return pr.system.Model(func(q *rule.Predicate) []*term.Term {
		p := pr.of(q)
		var clauses []*term.Term
		for _, l := range p.may(infinity) {
			clauses = append(clauses, l.clause)
		}
		return append(clauses, p.weakened...)
	})
}

func (pr *prover) count(name string, n int64) { pr.settings.Stats.Add(name, n) }
func (pr *prover) set(name string, n int64)   { pr.settings.Stats.Set(name, n) }

func (pr *prover) tracing() bool { return pr.settings.Events != nil && pr.settings.Events.Enabled() }

func (pr *prover) emit(kind string, fields ...engine.Field) {
	pr.settings.Events.Emit(engine.Event{At: time.Since(pr.start), Kind: kind, Fields: fields})
}

// finish writes the counters of projection, which counts for itself.
func (pr *prover) finish() {
	s := pr.projector.Stats()
	pr.set("projections.exact", int64(s.Exact))
	pr.set("projections.substituted", int64(s.Substituted))
	pr.set("projections.violations", int64(s.Violations))
	for _, c := range []struct {
		name string
		n    int
	}{
		{"projections.replaced", s.Replaced},
		{"projections.arrays.equated", s.ArraysEquated},
		{"projections.arrays.read", s.ArraysRead},
		{"projections.arrays.substituted", s.ArraysSubstituted},
		{"projections.arrays.peeled", s.StoresPeeled},
		{"projections.arrays.reduced", s.ReadsReduced},
		{"projections.arrays.disequalities", s.Disequalities},
		{"projections.datatypes.decomposed", s.Decomposed},
		{"projections.datatypes.unfolded", s.Unfolded},
		{"projections.bits.solved", s.SolvedBits},
		{"projections.bits.bounded", s.BoundBits},
		{"projections.bits.sliced", s.Sliced},
	} {
		if c.n > 0 {
			pr.set(c.name, int64(c.n))
		}
	}
}

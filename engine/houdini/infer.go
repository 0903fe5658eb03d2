package houdini

import (
	"context"
	"fmt"
	"time"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/engine"
	"hornbeam/internal/smt"
)

// Stats says what an inference did.
type Stats struct {
	// Candidates were in the pools, Survivors are left of them, weaker ones included.
	Candidates, Survivors int
	// Queries were asked.
	Queries int
	// Refuted candidates failed in a model; Undecided ones were dropped because a query had no answer or was not asked
	// any more.
	Refuted, Undecided int
	// Visits counts how often a predicate's candidates were brought to a proof; Spared how often one was not looked at
	// again because its proof did not use the candidate that was dropped.
	Visits, Spared int
}

// InferFrom returns the largest subset of the candidates, formulas over the predicates' canonical parameters
// (witness.CanonicalParams), such that every clause that has a head preserves it: an inductive invariant, so that each
// survivor holds of every tuple that is derivable. Survivors that another one obviously implies are left out; the
// conjunction is that of all. Queries play no part.
//
// A candidate is dropped when a query about it has no answer within houdini.check-limit, and all that are not settled
// are when houdini.queries, houdini.limit or houdini.open is used up: the result is then an inductive subset that may not be the
// largest. When ctx is done the error is its cause; any other error means that the solver broke.
func InferFrom(ctx context.Context, sys *chc.System, s engine.Settings, candidates map[*chc.Predicate][]*term.Term) (map[*chc.Predicate][]*term.Term, Stats, error) {
	in, err := newInference(sys, s, candidates)
	if err != nil {
		return nil, Stats{}, err
	}
	defer in.close()
	if err := in.run(ctx); err != nil {
		return nil, in.stats, err
	}
	return in.strongest(), in.stats, nil
}

// inference is one run over a system's pools.
type inference struct {
	program  *program
	options  options
	settings engine.Settings
	smt      smt.Context
	stats    Stats
	start    time.Time
	// worked is the processor time of the queries so far, or their work where work is counted.
	worked time.Duration
	// visiting is the predicate that is being visited.
	visiting *predicate
	// exchange is where survivors are posted, nil where nothing is shared.
	exchange *engine.Participant
}

func newInference(sys *chc.System, s engine.Settings, candidates map[*chc.Predicate][]*term.Term) (*inference, error) {
	o, err := newOptions(s)
	if err != nil {
		return nil, err
	}
	in := &inference{program: newProgram(sys), options: o, settings: s, start: time.Now(), exchange: s.Exchange.Join(sys)}
	for _, p := range in.program.preds {
		for _, f := range candidates[p.Source] {
			in.program.addCandidate(p, f)
		}
		in.stats.Candidates += len(p.pool)
	}
	if in.smt, err = s.Open(sys.Pool, smt.Config{Seed: s.Seed}); err != nil {
		return nil, fmt.Errorf("open a solver context: %w", err)
	}
	return in, nil
}

func (in *inference) close() { in.smt.Close() }

// run drops candidates until the rest is inductive. Going by the order of dependencies, a predicate that is on no cycle
// is visited once, after all that its clauses use, so that n candidates each for P predicates take O(n P) queries: each
// of them drops a candidate, or ends a visit.
func (in *inference) run(ctx context.Context) error {
	defer in.report()
	for _, p := range in.program.order {
		p.queued = len(p.pool) > 0
	}
	for p := in.next(); p != nil; p = in.next() {
		if err := in.visit(ctx, p); err != nil {
			return err
		}
	}
	for _, p := range in.program.order {
		in.stats.Survivors += len(p.live())
	}
	in.traceSurvivors()
	in.post()
	return nil
}

// next takes the first predicate in the order of dependencies off the worklist.
func (in *inference) next() *predicate {
	for _, p := range in.program.order {
		if p.queued {
			p.queued = false
			return p
		}
	}
	return nil
}

// visit drops candidates of p until the rest follows from what its clauses' bodies assume now.
func (in *inference) visit(ctx context.Context, p *predicate) error {
	live := p.live()
	if len(live) == 0 || len(p.Rules) == 0 {
		return nil
	}
	in.stats.Visits++
	in.visiting = p
	c, err := in.checkerFor(p)
	if err != nil {
		return err
	}
	c.core, c.open = map[*candidate]bool{}, 0
	if err := in.settle(ctx, p, live); err != nil {
		return err
	}
	if in.tracing() {
		left := p.live()
		in.emit("candidates", engine.Field{Name: "predicate", Value: p.Source.Name}, engine.Field{Name: "live", Value: len(left)},
			engine.Field{Name: "dropped", Value: len(live) - len(left)})
	}
	return nil
}

// settle drops those of the targets that do not follow. A set about which a query has no answer is cut in halves; what
// is undecided alone is dropped.
func (in *inference) settle(ctx context.Context, p *predicate, targets []*candidate) error {
	for {
		targets = alive(targets)
		if len(targets) == 0 {
			return nil
		}
		if in.exhausted() || p.checker.open > in.options.open {
			for _, k := range targets {
				in.drop(k)
				in.stats.Undecided++
			}
			return nil
		}
		status, err := in.query(ctx, p, targets)
		if err != nil {
			return err
		}
		switch status {
		case smt.Unsat:
			return nil
		case smt.Sat:
			refuted, err := in.refuted(p, targets)
			if err != nil {
				return err
			}
			for _, k := range refuted {
				in.drop(k)
				in.stats.Refuted++
			}
			if len(refuted) > 0 {
				continue
			}
		}
		p.checker.open++
		if len(targets) == 1 {
			in.drop(targets[0])
			in.stats.Undecided++
			return nil
		}
		half := len(targets) / 2
		if err := in.settle(ctx, p, targets[:half]); err != nil {
			return err
		}
		targets = targets[half:]
	}
}

// alive returns those of the candidates that are not dropped.
func alive(ks []*candidate) []*candidate {
	var out []*candidate
	for _, k := range ks {
		if !k.dropped {
			out = append(out, k)
		}
	}
	return out
}

// drop gives a candidate up, and puts the predicates on the worklist whose proofs assumed it. The predicate that is
// being visited is among them when an earlier part of the visit did.
func (in *inference) drop(k *candidate) {
	if k.dropped {
		return
	}
	k.dropped = true
	for _, u := range k.pred.users {
		switch {
		case u.queued || u.checker == nil:
			// It was not proved yet, or it is waiting already.
		case u.checker.core[k]:
			u.queued = true
		case u == in.visiting:
			// What it proved of itself so far did not assume k, and what it asks next will not.
		default:
			in.stats.Spared++
		}
	}
}

// exhausted reports whether the queries or the time that the inference may take are used up.
func (in *inference) exhausted() bool {
	return in.options.queries > 0 && in.stats.Queries >= in.options.queries ||
		in.options.limit > 0 && in.worked >= in.options.limit
}

func (in *inference) count(name string, n int) { in.settings.Stats.Add(name, int64(n)) }

func (in *inference) tracing() bool { return in.settings.Events != nil && in.settings.Events.Enabled() }

func (in *inference) emit(kind string, fields ...engine.Field) {
	in.settings.Events.Emit(engine.Event{At: time.Since(in.start), Kind: kind, Fields: fields})
}

// report writes the counters.
func (in *inference) report() {
	in.count("houdini.candidates", in.stats.Candidates)
	in.count("houdini.survivors", in.stats.Survivors)
	in.count("houdini.queries", in.stats.Queries)
	in.count("houdini.refuted", in.stats.Refuted)
	in.count("houdini.undecided", in.stats.Undecided)
	in.count("houdini.visits", in.stats.Visits)
	in.count("houdini.spared", in.stats.Spared)
}

// traceSurvivors tells the trace what survives: lemmas at infinity.
func (in *inference) traceSurvivors() {
	if !in.tracing() {
		return
	}
	strongest := in.strongest()
	for _, p := range in.program.order {
		for _, f := range strongest[p.Source] {
			in.emit("lemma", engine.Field{Name: "predicate", Value: p.Source.Name}, engine.Field{Name: "level", Value: "infinity"},
				engine.Field{Name: "formula", Value: term.Format(f)})
		}
	}
}

package portfolio

import (
	"context"
	"slices"
	"sync"

	"hornbeam/chc"
	"hornbeam/chc/transform"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/internal/work"
)

// prepared has what the main strategy's passes make of the clauses, group by group, for the other strategies, most of which begin with
// the same passes.
type prepared struct {
	// plan has the groups of the main strategy.
	plan [][]transform.Pass

	mu     sync.Mutex
	stages []stage
	// more is closed when there is another stage, or none will come.
	more  chan struct{}
	ended bool
}

// stage is what a group of passes made of a system.
type stage struct {
	system  *chc.System
	back    transform.Translator
	changed map[string]bool
}

func newPrepared(passes []transform.Pass) *prepared {
	return &prepared{plan: transform.Groups(passes), more: make(chan struct{})}
}

// publish adds a stage.
func (p *prepared) publish(s stage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stages = append(p.stages, s)
	close(p.more)
	p.more = make(chan struct{})
}

// end says that no stage will come.
func (p *prepared) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.ended {
		p.ended = true
		close(p.more)
	}
}

// stage waits for the n-th stage, which is to be that of a group; false when the main strategy's n-th group is another one, when there is
// no such stage, or ctx is done.
func (p *prepared) stage(ctx context.Context, n int, group []transform.Pass) (stage, bool) {
	if n >= len(p.plan) || !slices.EqualFunc(p.plan[n], group, func(a, b transform.Pass) bool { return a.Name == b.Name }) {
		return stage{}, false
	}
	for {
		p.mu.Lock()
		more, ended := p.more, p.ended
		if n < len(p.stages) {
			s := p.stages[n]
			p.mu.Unlock()
			return s, true
		}
		p.mu.Unlock()
		if ended {
			return stage{}, false
		}
		select {
		case <-ctx.Done():
			return stage{}, false
		case <-more:
		}
	}
}

// prepare runs the strategy's passes, or takes what the main strategy's made, as far as they are the same.
func (r *run) prepare(ctx context.Context, l strategy) (*transformed, error) {
	t, err := phase(r, "preprocessing", "time.transform", func() (*transformed, error) {
		t := &transformed{system: r.System, changed: map[string]bool{}}
		var back transform.Composition
		passes := slices.Concat(r.First, l.passes)
		shared := r.prepared
		// Where work is counted, strategies wait for nothing but their turns.
		if work.Of(ctx) != nil {
			shared = nil
		}
		if shared != nil && l.main {
			defer shared.end()
		}
		add := func(s stage) {
			t.system = s.system
			back = append(back, s.back)
			for pass, changed := range s.changed {
				t.changed[pass] = changed
			}
		}
		for n, group := range transform.Groups(passes) {
			if shared != nil && !l.main {
				if s, ok := shared.stage(ctx, n, group); ok {
					add(s)
					continue
				}
				shared = nil
			}
			s, err := r.stage(ctx, t.system, group)
			if err != nil {
				return nil, err
			}
			add(s)
			if shared != nil {
				shared.publish(s)
			}
		}
		t.back = back
		return t, nil
	})
	if err != nil {
		return nil, err
	}
	r.count(t.system)
	return t, nil
}

// stage runs a group of passes.
func (r *run) stage(ctx context.Context, sys *chc.System, group []transform.Pass) (stage, error) {
	next, back, report, err := transform.Pipeline(ctx, transform.Environment{Open: r.Open}, sys, group)
	if err != nil {
		return stage{}, err
	}
	s := stage{system: next, back: &guarded{Translator: back}, changed: map[string]bool{}}
	for _, p := range report.Passes {
		s.changed[p.Name] = p.Changes > 0
	}
	return s, nil
}

// guarded is a Translator that several strategies use, one at a time: passes keep what they need for it without locks.
type guarded struct {
	mu sync.Mutex
	transform.Translator
}

func (g *guarded) Model(ctx context.Context, m *witness.Model) (*witness.Model, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.Translator.Model(ctx, m)
}

func (g *guarded) Refutation(ctx context.Context, r *witness.Refutation) (*witness.Refutation, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.Translator.Refutation(ctx, r)
}

// CarriesRepeats says whether repeated steps are carried back.
func (g *guarded) CarriesRepeats() bool {
	x, ok := g.Translator.(transform.Repeater)
	return ok && x.CarriesRepeats()
}

// transformed is what preprocessing made of the system; several engines may work on it.
type transformed struct {
	system *chc.System
	back   transform.Translator
	// changed has the passes that changed something.
	changed map[string]bool
	// translating is held while a witness is carried back: passes keep what they need for it without locks.
	translating sync.Mutex
	// exchange is where they tell each other what they learn; nil while there is one only.
	exchange *engine.Exchange
}

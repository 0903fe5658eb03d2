package interpret

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"hornbeam/frontend/c/interpret/coverage"
	"hornbeam/internal/work"
)

// Search says how runs are tried.
type Search struct {
	Seed uint64
	// Time is for how long, and Runs how many at most; 0 stands for no bound. One of them, Steps or Stale is needed.
	Time time.Duration
	Runs int
	// Steps is how many steps all runs may have together; 0 stands for no bound.
	Steps int64
	// Stale is how much work without anything new ends the search, or as much as led to the last news, if that is more; 0 stands for
	// no bound. News is a run that goes a new way, and a decision to try longer ones. Work is steps, and runWork for each run.
	Stale int64
	// RunSteps is how many steps one run may have at first; 0 stands for 20000. When runs that reached nothing new were cut
	// off there, later ones may have more.
	RunSteps int64
}

// runWork is how many steps could be done in the time that beginning and comparing a run takes.
const runWork = 500

// Found is what a search found.
type Found struct {
	// Script repeats the run that reached the error; nil if none did.
	Script *Script
	// Outcome is how that run ended, or, if there is none, the last one that was tried.
	Outcome Outcome
	// Runs is how many were tried, and Steps how many steps they had together.
	Runs  int
	Steps int64
	// Single says that the last run was cut off before anything was open: until then all runs are this one.
	Single bool
	// Only says that the run was not asked for anything: all runs are the one that ended with Outcome.
	Only bool
}

// work is what the search has done.
func (f Found) work() int64 { return f.Steps + runWork*int64(f.Runs) }

// candidate is a run that went where none had gone before: its answers in their order.
type candidate struct {
	answers []Value
	pairs   []coverage.Pair
}

// Random is random choices by the seed for the program, whose constants and functions they make likely.
func (p *Program) Random(seed uint64) *Random {
	r := NewRandom(seed, p.constants)
	r.functions = p.functionsOf
	return r
}

// Explore tries random runs until one reaches the error, or the budget is used up. Runs that go new ways are kept, and later
// ones begin like them.
// The error is that of ctx
// if it is done before the budget; then what was found so far is of no use.
func (p *Program) Explore(ctx context.Context, s Search) (Found, error) {
	var found Found
	begin := work.Now(ctx)
	limit := s.RunSteps
	if limit == 0 {
		limit = 20_000
	}
	least := limit
	if s.Time > 0 {
		// A run that hangs ends with the budget.
		var cancel context.CancelFunc
		ctx, cancel = work.WithTimeout(ctx, s.Time)
		defer cancel()
	}
	r := rand.New(rand.NewPCG(s.Seed, 0x2545f4914f6cdd1d))
	covered, run := new(coverage.Seen), new(coverage.Run)
	var corpus []candidate
	cut := 0
	var news int64
	// longer says that runs may just have become longer: the first long one has one answer for each site, with which most turns of
	// loops are alike.
	longer := false
	for (s.Runs == 0 || found.Runs < s.Runs) && (s.Steps == 0 || found.Steps < s.Steps) && (s.Time == 0 || work.Since(ctx, begin) < s.Time) {
		choices := &trial{random: p.Random(r.Uint64()), r: r}
		if longer {
			choices.random.habit, longer = 0, false
		} else if len(corpus) > 0 && r.IntN(4) != 0 {
			// Later ones went further.
			choices.mutate(corpus[len(corpus)-1-min(int(r.ExpFloat64()*float64(len(corpus))/3), len(corpus)-1)])
		}
		run.Reset()
		most := limit
		if found.Runs%2 == 0 && !found.Single && choices.random.habit != 0 {
			// Short runs go on, as they take hardly any time.
			most = least
		}
		out, err := p.run(ctx, choices, nil, most, run)
		if err != nil {
			return found, s.within(ctx, err, begin)
		}
		fresh := covered.Add(run)
		found.Runs++
		found.Steps += out.Steps + out.Searched
		found.Outcome = out
		switch {
		case out.Kind == ErrorReached:
			found.Script = choices.script()
			return found, nil
		case out.Kind == LimitReached:
			found.Single = len(choices.given) == 0
			if most == limit {
				cut++
			}
			if (cut > enough(limit == least) || len(choices.given) == 0) && limit < p.stepLimit() {
				limit, cut, news, longer = min(limit*4, p.stepLimit()), 0, found.work(), true
			} else if len(choices.given) == 0 {
				return found, nil
			}
		case len(choices.given) == 0:
			// Nothing is open: all runs are this one.
			found.Only = true
			return found, nil
		}
		if fresh {
			corpus = append(corpus, candidate{choices.given, run.Pairs})
			cut, news = 0, found.work()
		}
		if s.Stale > 0 && found.work()-news > max(s.Stale, news) {
			return found, nil
		}
	}
	return found, nil
}

// enough is how many runs that are cut off and reach nothing new are enough before longer ones are tried.
func enough(short bool) int {
	if short {
		return 10
	}
	return 3
}

func (p *Program) stepLimit() int64 {
	if p.options.Steps == 0 {
		return defaultSteps
	}
	return p.options.Steps
}

// within is nil if a run was interrupted only because the search's own time was over.
func (s Search) within(ctx context.Context, err error, begin time.Duration) error {
	if s.Time > 0 && work.Since(ctx, begin) >= s.Time {
		return nil
	}
	return err
}

// trial answers first like a candidate, with some changes, and then by chance.
type trial struct {
	random *Random
	r      *rand.Rand
	like   []Value
	// change has the answers that are to be other ones.
	change map[int]bool
	given  []Value
	sites  []Site
}

// script is what the trial answered.
func (t *trial) script() *Script {
	s := NewScript()
	for i, v := range t.given {
		s.Add(t.sites[i], v)
	}
	return s
}

// mutate makes the trial begin like a candidate.
func (t *trial) mutate(c candidate) {
	t.like = c.answers
	if len(t.like) == 0 {
		return
	}
	if len(c.pairs) > 0 && t.r.IntN(2) == 0 && t.meet(c.pairs[t.r.IntN(len(c.pairs))]) {
		return
	}
	// Either some answers are changed, or the run goes another way from some point on. The last answers decided most.
	late := func() int {
		if n := len(t.like); t.r.IntN(2) == 0 {
			return n - 1 - t.r.IntN(min(n, 4))
		}
		return t.r.IntN(len(t.like))
	}
	if t.r.IntN(3) == 0 {
		t.like = t.like[:late()]
		return
	}
	t.change = map[int]bool{}
	for range 1 + t.r.IntN(3) {
		t.change[late()] = true
	}
}

// meet makes an answer that is one of two values the other one, or moves it by their difference; it tells whether there is
// one. Of several it takes any.
func (t *trial) meet(p coverage.Pair) bool {
	if t.r.IntN(2) == 0 {
		p.X, p.Y = p.Y, p.X
	}
	start := t.r.IntN(len(t.like))
	if v := t.like[start]; t.r.IntN(3) == 0 && !v.floating && !v.Fresh {
		// What was compared may be a sum of an answer and something else.
		t.like = slices.Clone(t.like)
		t.like[start] = Unsigned(v.bits + p.Y - p.X)
		return true
	}
	for k := range t.like {
		i := (start + k) % len(t.like)
		if v := t.like[i]; !v.floating && !v.Fresh && (v.bits == p.X || uint32(v.bits) == uint32(p.X)) {
			t.like = slices.Clone(t.like)
			t.like[i] = Unsigned(p.Y)
			return true
		}
	}
	return false
}

// Choose answers.
func (t *trial) Choose(q Question) (Value, error) {
	i := len(t.given)
	var v Value
	switch {
	case i >= len(t.like):
		v, _ = t.random.Choose(q)
	case t.change[i]:
		if s := shapeOf(q.Type); s.class == integer && t.r.IntN(2) == 0 && !t.like[i].floating {
			v = Unsigned(t.like[i].bits)
			switch t.r.IntN(3) {
			case 0:
				v.bits += uint64(t.r.Int64N(9) - 4)
			case 1:
				v.bits = -v.bits
			default:
				v.bits ^= 1 << t.r.IntN(int(s.bits))
			}
			break
		}
		v, _ = t.random.Choose(q)
	default:
		v = t.like[i]
	}
	t.given = append(t.given, v)
	t.sites = append(t.sites, q.Site)
	return v, nil
}

// MostShortened is how many steps Shorten may spend: a run that has as many is not shortened. shortenRuns is how many runs.
const (
	MostShortened = 3_000_000
	shortenRuns   = 300
)

// inOrder takes note of answers in the order in which they are given.
type inOrder struct {
	Choices
	sites  []Site
	at     []int
	values []Value
}

// Choose asks the choices behind it.
func (o *inOrder) Choose(q Question) (Value, error) {
	v, err := o.Choices.Choose(q)
	if err == nil {
		o.sites, o.at, o.values = append(o.sites, q.Site), append(o.at, q.Occurrence), append(o.values, v)
	}
	return v, err
}

// Shorten looks for a shorter run that ends in the same error as that of a script, and otherwise for one with smaller answers: turns of
// loops are left out, and then each answer is tried as zero, as one, as its lowest bits, and between what does and what does not help,
// within a small budget of work. It returns a script that reaches the error, which is the given one where nothing better was found.
func (p *Program) Shorten(ctx context.Context, script *Script) *Script {
	best := &inOrder{Choices: script}
	end, err := p.Run(ctx, best, nil)
	if err != nil || end.Kind != ErrorReached {
		return script
	}
	budget := int64(MostShortened) - end.Steps - end.Searched
	runs := 0
	// Without a budget nothing is tried: what there is to be tried may be as much as the square of the answers.
	spent := func() bool { return runs >= shortenRuns || budget <= 0 || ctx.Err() != nil }
	// better keeps a script whose run is shorter, or of the same length if that is enough.
	better := func(changed *Script, sameLength bool) bool {
		if spent() {
			return false
		}
		runs++
		next := &inOrder{Choices: changed}
		out, err := p.run(ctx, next, nil, end.Steps+1, nil)
		budget -= out.Steps + out.Searched
		if err != nil || out.Kind != ErrorReached || out.Node != end.Node || out.length() > end.length() || out.length() == end.length() && !sameLength {
			return false
		}
		best, end = next, out
		return true
	}
	// What is answered from one question of a site to a later one is a number of turns of a loop.
	for i := 0; i < len(best.values) && !spent(); i++ {
		later := best.later(i)
		for size := len(later); size > 0 && !spent(); {
			if better(best.without(i, later[size-1]), false) {
				later = best.later(i)
				size = min(size, len(later))
			} else {
				size /= 2
			}
		}
	}
	// try keeps a change of an answer if it makes the run better.
	try := func(i int, v Value) bool {
		old := best.values[i]
		if v == old {
			return false
		}
		changed := &Script{Queues: maps.Clone(best.script().Queues)}
		queue := slices.Clone(changed.Queues[best.sites[i]])
		queue[best.at[i]] = v
		changed.Queues[best.sites[i]] = queue
		return better(changed, v.bits < old.bits)
	}
	// An answer may be made smaller once a later one is.
	for length := int64(0); length != end.length(); {
		length = end.length()
		for i := 0; i < len(best.values) && !spent(); i++ {
			if v := best.values[i]; v.Fresh || v.floating {
				continue
			}
			bits := best.values[i].bits
			if try(i, Int(0)) || try(i, Int(1)) {
				continue
			}
			_ = try(i, Value{bits: bits & 15}) || try(i, Value{bits: bits & 255})
			// The least number, if all between it and what works do, too.
			for below := int64(0); i < len(best.values); {
				v := int64(best.values[i].bits)
				middle := below + (v-below)/2
				if v <= below+1 || spent() {
					break
				}
				if !try(i, Int(middle)) {
					below = middle
				}
			}
		}
	}
	if runs == 0 {
		return script
	}
	return best.script()
}

// later are the places of the other answers to questions of the site of one.
func (o *inOrder) later(i int) []int {
	var out []int
	for j := i + 1; i < len(o.sites) && j < len(o.sites); j++ {
		if o.sites[j] == o.sites[i] {
			out = append(out, j)
		}
	}
	return out
}

// without is the script of the answers but those from one place up to another.
func (o *inOrder) without(from, to int) *Script {
	s := NewScript()
	for i, site := range o.sites {
		if i < from || i >= to {
			s.Add(site, o.values[i])
		}
	}
	return s
}

// script repeats the run whose answers were noted.
func (o *inOrder) script() *Script {
	s := NewScript()
	for i, site := range o.sites {
		queue := s.Queues[site]
		for len(queue) <= o.at[i] {
			queue = append(queue, Int(0))
		}
		queue[o.at[i]] = o.values[i]
		s.Queues[site] = queue
	}
	return s
}

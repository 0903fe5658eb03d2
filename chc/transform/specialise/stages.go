package specialise

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
)

// stages splits predicates by one argument after the other. In a state of a protocol most of its data is dead, so that after the split
// by the state's number a second number, which is set in one state and read in another, is split only in between.
type stages struct {
	env  transform.Environment
	opts Options
	sys  *chc.System
	back transform.Composition
	// units are numbers for the arguments that may be split, by the predicates' IDs and positions; noUnit is that of others. Arguments
	// with the same number are split in the same stage.
	units [][]int
	// work is the size of the constraints that were written so far.
	work int
}

// noUnit is in place of the number of arguments that are not split.
const noUnit = -1

// splitInStages splits by one unit of the Boolean arguments after the other, as long as there is one by which the clauses do not grow
// as much as they become more: by control, not by data. The groups are those of split.
func splitInStages(ctx context.Context, env transform.Environment, sys *chc.System, o Options, groups [][]int) (*chc.System, transform.Translator, error) {
	s := &stages{env: env, opts: o, sys: sys, units: argumentUnits(sys, groups)}
	for {
		x, unit, err := s.best(ctx)
		if err != nil {
			return nil, nil, fmt.Errorf("specialising: %w", err)
		}
		if x == nil {
			break
		}
		s.take(x, unit)
	}
	if s.sys == sys {
		return sys, nil, nil
	}
	return s.sys, s.back, nil
}

// best explores the split by each unit and returns the one by which the clauses grow least; nil when there is none to be taken.
func (s *stages) best(ctx context.Context) (best *exploration, unit int, err error) {
	size := 0
	for _, c := range s.sys.Clauses {
		size += c.Constraint.Size() + 1
	}
	least := 0.0
	for u, split := range s.splits() {
		if !split.any() {
			continue
		}
		if s.work > s.opts.MaxWork {
			return nil, noUnit, nil
		}
		x, err := newExploration(s.env, s.sys, s.opts, split)
		if err != nil {
			return nil, noUnit, err
		}
		x.maxSize = s.opts.GrowthBase
		err = x.run(ctx)
		x.close()
		s.work += x.size
		switch {
		case errors.Is(err, errTooMany):
			continue
		case err != nil:
			return nil, noUnit, err
		}
		growth := float64(x.size) / float64(size)
		copies := float64(len(x.found)) / float64(max(1, len(s.sys.Predicates)))
		if (growth <= s.opts.Growth || growth <= s.opts.Share*copies) && (best == nil || growth < least) {
			best, unit, least = x, u, growth
		}
	}
	return best, unit, nil
}

// splits are the positions of each unit's arguments, as far as they are live.
func (s *stages) splits() []splitPositions {
	var out []splitPositions
	live := liveArguments(s.sys)
	for p, units := range s.units {
		for k, u := range units {
			if u == noUnit || !live[p][k] {
				continue
			}
			for len(out) <= u {
				out = append(out, make(splitPositions, len(s.sys.Predicates)))
			}
			out[u][p] = append(out[u][p], k)
		}
	}
	return out
}

// take goes on with the system that an exploration has split by a unit.
func (s *stages) take(x *exploration, unit int) {
	next, back := x.result()
	var units [][]int
	for _, p := range s.sys.Predicates {
		var left []int
		for k, u := range s.units[p.ID] {
			switch {
			case slices.Contains(x.split[p.ID], k):
			case u == unit:
				left = append(left, noUnit)
			default:
				left = append(left, u)
			}
		}
		for range x.copies[p.ID] {
			units = append(units, left)
		}
	}
	s.sys, s.units, s.back = next, units, append(s.back, back)
}

// argumentUnits numbers the Boolean arguments: the same number have those of a predicate that are in the same group, and those that
// clauses give each other's values. Those that no clause changes have none.
func argumentUnits(sys *chc.System, groups [][]int) [][]int {
	type group struct{ pred, group int }
	of := func(p *chc.Predicate, k int) group {
		if groups == nil {
			return group{p.ID, k}
		}
		return group{p.ID, groups[p.ID][k]}
	}
	var same transform.Partition[group]
	for _, c := range sys.Clauses {
		if c.Head == nil {
			continue
		}
		heads := map[*term.Term][]group{}
		for k, t := range c.Head.Args {
			heads[t] = append(heads[t], of(c.Head.Pred, k))
		}
		for _, a := range c.Body {
			for k, t := range a.Args {
				if t.Sort() != term.Bool || !t.IsVar() {
					continue
				}
				for _, h := range heads[t] {
					same.Join(of(a.Pred, k), h)
				}
			}
		}
	}
	carried := carriedArguments(sys)
	changing, numbers := map[group]bool{}, map[group]int{}
	for _, p := range sys.Predicates {
		for k, s := range p.Sorts {
			if s == term.Bool && !carried[p.ID][k] {
				changing[same.Find(of(p, k))] = true
			}
		}
	}
	out := make([][]int, len(sys.Predicates))
	for _, p := range sys.Predicates {
		out[p.ID] = slices.Repeat([]int{noUnit}, p.Arity())
		for k, s := range p.Sorts {
			root := same.Find(of(p, k))
			if s != term.Bool || !changing[root] {
				continue
			}
			if _, known := numbers[root]; !known {
				numbers[root] = len(numbers)
			}
			out[p.ID][k] = numbers[root]
		}
	}
	return out
}

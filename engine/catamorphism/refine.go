package catamorphism

import (
	"context"
	"errors"
	"slices"

	"hornbeam/internal/smt"
)

// errUnrefuted says that no choice of the library refutes a spurious tree.
var errUnrefuted = errors.New("no fold that it knows (size, sums, first elements or spines) excludes a derivation that the datatypes do not have; try --engine spacer")

// refiner chooses folds that refute spurious trees.
type refiner struct {
	*space
	library []fold
	order   []*component
	cost    map[*component]int
	images  imageCache
	query   *querier
	// budget bounds the encodings that one refinement tries.
	trials int
}

func newRefiner(s *space, library []fold, q *querier) *refiner {
	r := &refiner{space: s, library: library, cost: map[*component]int{}, images: imageCache{}, query: q}
	for _, f := range library {
		r.order = append(r.order, f.component)
		r.cost[f.component] = f.cost
	}
	return r
}

// encoding returns the encoding by the components and what they need, with its images.
func (r *refiner) encoding(ctx context.Context, wanted []*component) (*encoding, error) {
	e := newEncoding(r.space, r.order, wanted)
	return e, e.findImages(ctx, r.query, r.images, r.cost)
}

// refutes reports whether the components contradict the tree.
func (r *refiner) refutes(ctx context.Context, wanted []*component, t *tree) (bool, error) {
	r.trials++
	e, err := r.encoding(ctx, wanted)
	if err != nil {
		return false, err
	}
	status, err := r.query.check(ctx, t.overComponents(e))
	return status == smt.Unsat, err
}

// levels are the costs up to which folds are tried together.
var levels = []int{costSize, costFirst, costSpine}

// refine returns components that contradict all trees, the last of which those at present do not: few, and cheap ones by
// preference. It returns errUnrefuted when all folds together do not contradict the last tree.
func (r *refiner) refine(ctx context.Context, present []*component, trees []*tree) ([]*component, error) {
	last := trees[len(trees)-1]
	added, err := r.contradict(ctx, present, last)
	if err != nil {
		return nil, err
	}
	// What the new ones made superfluous goes, the most expensive first.
	all := append(slices.Clone(present), added...)
	keep := slices.Clone(all)
	for _, c := range slices.Backward(r.order) {
		if !slices.Contains(keep, c) || len(keep) == 1 {
			continue
		}
		fewer := without(keep, c)
		enough := true
		for _, t := range slices.Backward(trees) {
			if enough, err = r.refutes(ctx, fewer, t); err != nil {
				return nil, err
			}
			if !enough {
				break
			}
		}
		if enough {
			keep = fewer
		}
	}
	return keep, nil
}

// contradict returns components that contradict the tree together with those at present.
func (r *refiner) contradict(ctx context.Context, present []*component, t *tree) ([]*component, error) {
	for i, level := range levels {
		var added []*component
		for _, f := range r.library {
			if f.cost <= level && !slices.Contains(present, f.component) {
				added = append(added, f.component)
			}
		}
		if i > 0 && !slices.ContainsFunc(r.library, func(f fold) bool { return levels[i-1] < f.cost && f.cost <= level }) {
			continue
		}
		enough, err := r.refutes(ctx, append(slices.Clone(present), added...), t)
		if err != nil {
			return nil, err
		}
		if enough {
			return r.fewest(ctx, present, added, t)
		}
	}
	return nil, errUnrefuted
}

// fewest drops components, in ever smaller runs from the most expensive on, while the others contradict the tree.
func (r *refiner) fewest(ctx context.Context, present, added []*component, t *tree) ([]*component, error) {
	for n := (len(added) + 1) / 2; ; n /= 2 {
		for end := len(added); end > 0; end -= n {
			start := max(0, end-n)
			fewer := slices.Delete(slices.Clone(added), start, end)
			enough, err := r.refutes(ctx, append(slices.Clone(present), fewer...), t)
			if err != nil {
				return nil, err
			}
			if enough {
				added = fewer
			}
		}
		if n <= 1 {
			return added, nil
		}
	}
}

func without(cs []*component, c *component) []*component {
	return slices.DeleteFunc(slices.Clone(cs), func(k *component) bool { return k == c })
}

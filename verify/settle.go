package verify

import (
	"context"
	"slices"
	"time"

	"hornbeam/engine"
)

// settle decides questions that one run of an engine may answer together, such as the checks of a program. ask decides a
// group: Unsat is an answer to those that it returns beside the result, Sat one to the whole group. What is answered is
// taken away, and the rest asked again; a group without an answer is divided, and a question that stays alone without one
// has the reason of its last run. Each question has the same share of the time; a group that can be divided leaves half of
// its own for its parts. An error of ask ends everything.
func settle[Q comparable](
	ctx context.Context, all []Q, divide func(group []Q) [][]Q, ask func(ctx context.Context, group []Q) (*Result, []Q, error),
) (map[Q]*Result, error) {
	answers := map[Q]*Result{}
	answered := func(q Q) bool { return answers[q] != nil }
	pending := [][]Q{all}
	for len(pending) > 0 {
		group := slices.DeleteFunc(slices.Clone(pending[0]), answered)
		pending = pending[1:]
		if len(group) == 0 {
			continue
		}
		waiting := 0
		for _, g := range pending {
			waiting += len(g)
		}
		run, stop := share(ctx, len(group), waiting)
		r, hit, err := ask(run, group)
		stop()
		switch {
		case err != nil:
			return nil, err
		case r.Verdict == engine.Unsat && slices.ContainsFunc(group, func(q Q) bool { return slices.Contains(hit, q) }):
			for _, q := range hit {
				if answers[q] == nil {
					answers[q] = r
				}
			}
			pending = slices.Insert(pending, 0, group)
		case r.Verdict == engine.Unsat:
			r = unknown("something else was violated than what was asked about")
			fallthrough
		default:
			parts := [][]Q{group}
			// No part of a group is decided beyond a bound, if the group is not.
			if r.Verdict == engine.Unknown && len(r.beyond) == 0 && len(group) > 1 && ctx.Err() == nil {
				parts = divide(group)
			}
			if len(parts) > 1 {
				pending = slices.Concat(parts, pending)
				continue
			}
			for _, q := range group {
				answers[q] = r
			}
		}
	}
	return answers, nil
}

// halves divides a group in two.
func halves[Q any](group []Q) [][]Q {
	half := len(group) / 2
	return [][]Q{group[:half:half], group[half:]}
}

// singles divides a group into its members.
func singles[Q any](group []Q) [][]Q {
	var out [][]Q
	for _, q := range group {
		out = append(out, []Q{q})
	}
	return out
}

// share is the part of the time that is left which a group of questions has, while others wait.
func share(ctx context.Context, group, waiting int) (context.Context, context.CancelFunc) {
	deadline, limited := ctx.Deadline()
	if !limited {
		return context.WithCancel(ctx)
	}
	left := time.Until(deadline) * time.Duration(group) / time.Duration(group+waiting)
	if group > 1 {
		left /= 2
	}
	return context.WithTimeout(ctx, left)
}

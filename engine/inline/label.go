package inline

import (
	"context"

	"hornbeam/internal/itp"
)

// halving labels a large tree by parts: the call in the middle first, which makes two parts that have nothing to do
// with each other any more, and so on, so that few labels are asked of a formula as large as the tree.
type halving struct {
	*proof
	// quick gives up early, thorough does not.
	quick, thorough *itp.Interpolator
	// most is the number of unlabelled calls that a call may have below it, itself among them, to be labelled: half of
	// what a label was not found for.
	most int
}

// label labels the calls below top that are reached without passing a label.
func (h *halving) label(ctx context.Context, top *call) error {
	for {
		calls := top.unlabelled(nil)
		calls = calls[:len(calls)-1]
		if len(calls) == 0 {
			return nil
		}
		c, below := middleOf(calls, min(h.most, len(calls)/2))
		labeller := h.quick
		if below == 1 {
			labeller = h.thorough
		}
		err := h.labelCall(ctx, labeller, top, c)
		if err != nil && below > 1 && unproved(ctx, err) {
			h.most = below / 2
			continue
		}
		if err != nil {
			return err
		}
		if err := h.label(ctx, c); err != nil {
			return err
		}
	}
}

// unlabelled returns the calls of the subtree that are reached without passing a label but c's own, callees before
// callers, after those of out.
func (c *call) unlabelled(out []*call) []*call {
	for _, d := range c.callees {
		if d != nil && d.label == nil {
			out = d.unlabelled(out)
		}
	}
	return append(out, c)
}

// middleOf returns the call below which, itself among them, there are so many of the calls, which come callees before
// callers, or as many less as need be, and how many these are. There is always one with none below.
func middleOf(calls []*call, wanted int) (middle *call, most int) {
	below := map[*call]int{}
	for _, c := range calls {
		below[c]++
		below[c.caller] += below[c]
		if n := below[c]; n > most && n <= max(1, wanted) {
			middle, most = c, n
		}
	}
	return middle, most
}

package inline

import (
	"context"
	"errors"

	"hornbeam/engine"
	"hornbeam/internal/smt"
)

// static inlines everything up to the bound before it asks. With every site beyond the bound blocked a model is a bug;
// without the blocks none means that the bound was enough: their literals are the unwinding assertions.
func (h *hunter) static(ctx context.Context) (engine.Answer, error) {
	for bound := h.options.firstBound(); ; bound++ {
		if h.exceeded(bound) {
			return h.noBug(h.options.bound), nil
		}
		h.raised(bound)
		for _, decide := range []func(context.Context, int) (*engine.Answer, error){h.base, h.step} {
			if answer, err := decide(ctx, bound); answer != nil || err != nil {
				return deref(answer), err
			}
		}
		if h.opposite == nil {
			continue
		}
		answer, err := h.opposite.step(ctx, bound)
		var noModel *engine.Incomplete
		switch {
		case errors.As(err, &noModel):
			// A proof from this end may have a model.
			h.opposite = nil
		case answer != nil || err != nil:
			return deref(answer), err
		}
	}
}

// base looks for a bug within the bound. Where nothing is beyond it, it proves that there is none at all.
func (h *hunter) base(ctx context.Context, bound int) (*engine.Answer, error) {
	if err := h.expandTo(ctx, bound); err != nil {
		return nil, err
	}
	status, core, err := h.ask(ctx, under, h.open, false)
	for err == nil && status == smt.Sat {
		if answer, err := h.found(ctx); err != nil || answer != nil {
			return answer, err
		}
		status, core, err = h.ask(ctx, under, h.open, false)
	}
	switch {
	case err != nil:
		return nil, err
	case status == smt.Unknown:
		return nil, h.leftOpen()
	case len(core) == 0:
		return answered(h.safe(ctx))
	}
	h.explored(bound)
	return nil, nil
}

// step tries to prove that whatever the calls beyond the bound return there is no bug.
func (h *hunter) step(ctx context.Context, bound int) (*engine.Answer, error) {
	if err := h.expandTo(ctx, bound); err != nil {
		return nil, err
	}
	if status, _, err := h.ask(ctx, over, nil, true); err != nil || status != smt.Unsat {
		return nil, err
	}
	return answered(h.safe(ctx))
}

// expandTo inlines the sites within the bound.
func (h *hunter) expandTo(ctx context.Context, bound int) error {
	for {
		within, _ := h.beyond(bound)
		if len(within) == 0 {
			return nil
		}
		if err := h.expand(ctx, within); err != nil {
			return err
		}
	}
}

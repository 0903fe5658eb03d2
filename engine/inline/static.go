package inline

import (
	"context"

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
		for {
			within, _ := h.beyond(bound)
			if len(within) == 0 {
				break
			}
			if err := h.expand(ctx, within); err != nil {
				return engine.Answer{}, err
			}
		}
		status, core, err := h.ask(ctx, under, h.open, false)
		for err == nil && status == smt.Sat {
			if answer, err := h.found(ctx); err != nil || answer != nil {
				return deref(answer), err
			}
			status, core, err = h.ask(ctx, under, h.open, false)
		}
		switch {
		case err != nil:
			return engine.Answer{}, err
		case status == smt.Unknown:
			return engine.Answer{}, h.leftOpen()
		case len(core) == 0:
			return h.safe(ctx)
		}
		h.explored(bound)
		status, _, err = h.ask(ctx, over, nil, true)
		switch {
		case err != nil:
			return engine.Answer{}, err
		case status == smt.Unsat:
			return h.safe(ctx)
		}
	}
}

package witness

import (
	"context"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// ProveLemma proves a lemma about the functions of ds by induction on its first variable as [CheckModel] does, with the
// lemmas of proved, which the caller knows to hold. It reports whether that succeeded, within limit for each query; the
// definitions must be well formed. A quick attempt instantiates definitions and lemmas once only, and the solver does not
// get the hypotheses with their quantifiers: it proves less, and takes a fraction of the time on what does not hold.
func ProveLemma(ctx context.Context, solvers smt.Context, p *term.Pool, ds []Definition, proved []Lemma, l Lemma, limit smt.Limit, quick bool) (bool, error) {
	pr := &lemmaProver{ctx: ctx, pool: p, solvers: solvers, limit: limit, definitions: ds}
	if quick {
		pr.levels = inductionLevels[:1]
	}
	ok, _, err := pr.induction(l, 0, []Lemma{l}, proved)
	return ok, err
}

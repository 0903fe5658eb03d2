package inline

import (
	"hornbeam/chc/term"
	"hornbeam/engine"
)

// readLemmas makes what other engines know for good part of the summaries. It is called between queries: a summary may
// grow whenever the solver is not at work, since it says what holds of every call that can be made. The model of a proof
// says all of it, so that it does not matter which part of it the proof needs.
func (h *hunter) readLemmas() {
	news := h.exchange.Lemmas()
	if len(news) == 0 {
		return
	}
	formulas := map[*predicate][]*term.Term{}
	for _, l := range news {
		p := h.preds[l.Predicate.ID]
		formulas[p] = append(formulas[p], l.Formula)
	}
	for p, fs := range formulas {
		p.lemmas = h.pool.And(append(fs, p.lemmas)...)
	}
	h.count("exchange.lemmas.read", int64(len(news)))
	h.strengthen(formulas)
}

// postLemmas posts what is inductive for the other engines.
func (h *hunter) postLemmas(inductive map[*predicate][]*term.Term) {
	if h.exchange == nil || h.sys != h.asked {
		// What is inductive for other clauses need not be so for those of the exchange.
		return
	}
	var lemmas []engine.Lemma
	for _, p := range h.preds {
		for _, f := range inductive[p] {
			lemmas = append(lemmas, engine.Lemma{Predicate: p.Source, Formula: f})
		}
	}
	h.count("exchange.lemmas.posted", int64(h.exchange.PostLemmas(lemmas...)))
}

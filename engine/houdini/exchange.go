package houdini

import "hornbeam/engine"

// post posts what survives for the other engines: lemmas at infinity, all at once, since they are inductive only together.
func (in *inference) post() {
	if in.exchange == nil {
		return
	}
	var lemmas []engine.Lemma
	strongest := in.strongest()
	for _, p := range in.program.preds {
		for _, f := range strongest[p.Source] {
			lemmas = append(lemmas, engine.Lemma{Predicate: p.Source, Formula: f})
		}
	}
	in.count("exchange.lemmas.posted", in.exchange.PostLemmas(lemmas...))
}

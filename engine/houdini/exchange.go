package houdini

import "hornbeam/engine"

// post tells others what survives: lemmas at infinity, all at once, since they are inductive only together.
func (in *inference) post() {
	if in.board == nil {
		return
	}
	var lemmas []engine.Lemma
	strongest := in.strongest()
	for _, p := range in.program.preds {
		for _, f := range strongest[p.Source] {
			lemmas = append(lemmas, engine.Lemma{Predicate: p.Source, Formula: f})
		}
	}
	in.count("exchange.lemmas.posted", in.board.PostLemmas(lemmas...))
}

package z3

// #include "bridge.h"
import "C"

import (
	"errors"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// Proof reads the refutation of the last check, in one call of C. A proxy is written as the assumption that it stands
// for, so that a proxy's definition is true and an assumption is a leaf of its own.
func (s *solver) Proof() (*smt.Proof, error) {
	switch {
	case s.z == nil:
		return nil, smt.ErrClosed
	case !s.ctx.cfg.Proofs:
		return nil, smt.ErrNoProofs
	case !s.current || s.status != smt.Unsat:
		return nil, errors.New("z3: proof: the last check gave none")
	case s.trivial != nil:
		return &smt.Proof{Nodes: []*smt.Node{{Rule: smt.RuleAssumption, Conclusion: s.trivial}}}, nil
	}
	var nodes C.uint32_t
	if !C.hb_export_proof(s.ctx.h, s.z, &nodes) {
		return nil, s.ctx.failure("proof")
	}
	d := s.ctx.decoder(int(nodes))
	r := &proofReader{proof: &smt.Proof{}, asserted: map[*term.Term]bool{}, assumed: map[*term.Term]bool{}}
	for _, sc := range s.scopes {
		for _, t := range sc.asserted {
			r.asserted[t] = true
		}
	}
	for _, t := range s.assumed {
		r.assumed[t] = true
	}
	d.step = r.step
	if err := d.decode(int(nodes)); err != nil {
		return nil, err
	}
	return r.proof, nil
}

type proofReader struct {
	proof             *smt.Proof
	conclusions       []uint32 // the slot of each step's conclusion, or none
	asserted, assumed map[*term.Term]bool
}

// step decodes one step of a proof.
func (r *proofReader) step(d *decoder, count int, s *slot) {
	n := &smt.Node{Index: len(r.proof.Nodes), Rule: d.string()}
	conclusion := d.word() - 1 // none when there is none
	var words []string
	for range d.word() {
		if isNumber := d.word(); isNumber == 0 {
			words = append(words, d.string())
		} else if x, err := term.ParseNum(d.string()); err == nil {
			n.Params.Nums = append(n.Params.Nums, x)
		}
	}
	if n.Rule != smt.RuleTheory {
		n.Params.Nums = nil
	} else {
		words = append(words, "", "")
		n.Params.Theory, n.Params.Rule = words[0], words[1]
	}
	for range count {
		if p := d.slots[d.word()].step; p != nil {
			n.Premises = append(n.Premises, p)
		}
	}
	n.Conclusion = d.termOf(d.slotAt(conclusion))
	r.conclusions = append(r.conclusions, conclusion)
	if n.Rule == smt.RuleAsserted && n.Conclusion != nil && r.assumed[n.Conclusion] && !r.asserted[n.Conclusion] {
		n.Rule = smt.RuleAssumption
	}
	if n.Params.Rule == "farkas" || n.Params.Rule == "assign-bounds" {
		r.farkas(d, n)
	}
	s.step = n
	r.proof.Nodes = append(r.proof.Nodes, n)
}

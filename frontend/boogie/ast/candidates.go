package ast

import "hornbeam/chc"

// Candidate reports whether the specification is marked {:candidate}: it is neither an obligation nor assumed, until an
// inference finds that it holds. What is free is assumed anyway.
func (s *Specification) Candidate() bool { return !s.Free && s.Attributes.Has("candidate") }

// Candidate reports whether the assertion is marked {:candidate}, as a specification may be.
func (a *Assert) Candidate() bool { return a.Attributes.Has("candidate") }

// Candidate is something that is marked {:candidate}. Its place stands for it.
type Candidate struct {
	Pos  chc.Position
	Cond Expr
	// Procedure is whose contract or body it is in.
	Procedure *Procedure
	Kind      CandidateKind
}

// CandidateKind says what is a candidate.
type CandidateKind uint8

// The kinds of candidates.
const (
	// CandidateRequires and CandidateEnsures are preconditions and postconditions.
	CandidateRequires CandidateKind = iota
	CandidateEnsures
	// CandidateInBody is a loop invariant or an assertion.
	CandidateInBody
)

// Candidates are those of a checked program: of each procedure in the order of their declaration the preconditions, the
// postconditions and what is in its bodies.
func Candidates(p *Program) []Candidate {
	var out []Candidate
	for _, q := range p.Procedures {
		add := func(kind CandidateKind, specs []*Specification) {
			for _, s := range specs {
				if s.Candidate() {
					out = append(out, Candidate{s.Pos, s.Cond, q, kind})
				}
			}
		}
		add(CandidateRequires, q.Requires)
		add(CandidateEnsures, q.Ensures)
		for _, impl := range q.Implementations {
			for s := range Statements(impl.Body.Stmts) {
				switch s := s.(type) {
				case *While:
					add(CandidateInBody, s.Invariants)
				case *Assert:
					if s.Candidate() {
						out = append(out, Candidate{s.Pos, s.Cond, q, CandidateInBody})
					}
				}
			}
		}
	}
	return out
}

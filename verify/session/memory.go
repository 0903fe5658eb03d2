package session

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/smtlib"
	"hornbeam/internal/smt"
)

// mostFacts bounds the facts of earlier refutations that are made clauses of a system.
const mostFacts = 256

// Memory is what the checks of a session have found out. Scripts that it is asked about are states of one smtlib.Incremental: a
// clause at a position of one is the clause at that position of another. The zero Memory knows nothing.
type Memory struct {
	sat, unsat known
	// checks counts the checks.
	checks int
}

// known is an answer with the script that it is about. check is the number of the check, 0 where there is none.
type known struct {
	script *smtlib.Script
	answer engine.Answer
	check  int
}

// Solve decides the script, whose clauses are the request's system. An earlier model or refutation that is one of these clauses too is
// the answer. Otherwise the conjuncts of the model are candidates for lemmas, or what the refutation derives from clauses that are
// still there are clauses beside them.
func (m *Memory) Solve(ctx context.Context, script *smtlib.Script, req portfolio.Request) engine.Answer {
	m.checks++
	ref := m.carriedRefutation(script)
	if ref != nil && witness.CheckRefutation(ctx, script.System, ref) == nil {
		return engine.Answer{Verdict: engine.Unsat, Refutation: ref.Prune(), Engine: m.unsat.answer.Engine, Strategy: m.unsat.answer.Strategy}
	}
	model := m.carriedModel(script)
	if model != nil && witness.CheckModel(ctx, req.Open, script.System, model, smt.Limit{Resources: resourcesForModel}) == nil {
		return engine.Answer{Verdict: engine.Sat, Model: model, Engine: m.sat.answer.Engine, Strategy: m.sat.answer.Strategy}
	}
	switch {
	case ref != nil && (model == nil || m.unsat.check > m.sat.check):
		req.First = append(slices.Clip(req.First), factsPass(ref))
	case model != nil:
		req.Candidates = candidates(script, model)
	}
	a := portfolio.Solve(ctx, req)
	m.remember(script, a)
	return a
}

// resourcesForModel bounds each query of the check whether an earlier model still holds.
const resourcesForModel = 2_000_000

// remember keeps an answer.
func (m *Memory) remember(script *smtlib.Script, a engine.Answer) {
	switch a.Verdict {
	case engine.Sat:
		m.sat = known{script, a, m.checks}
	case engine.Unsat:
		m.unsat = known{script, a, m.checks}
	}
}

// carriedModel is the last model with its definitions for the predicates that are still declared and true for the others, a guess; nil
// where there is none. It goes by way of its text, since each script has terms of its own.
func (m *Memory) carriedModel(script *smtlib.Script) *witness.Model {
	if m.sat.check == 0 {
		return nil
	}
	shared := *m.sat.script.System
	shared.Predicates = nil
	var rest bytes.Buffer
	for _, p := range script.Declared {
		i := slices.IndexFunc(m.sat.script.Declared, func(q *chc.Predicate) bool {
			return q.Name == p.Name && slices.EqualFunc(q.Sorts, p.Sorts, func(a, b *term.Sort) bool { return a.String() == b.String() })
		})
		if i >= 0 {
			shared.Predicates = append(shared.Predicates, m.sat.script.Declared[i])
			continue
		}
		fmt.Fprintf(&rest, "(define-fun %s (", term.QuoteSymbol(p.Name))
		for k, s := range p.Sorts {
			fmt.Fprintf(&rest, "(x!%d %s)", k, s)
		}
		rest.WriteString(") Bool true)\n")
	}
	if len(shared.Predicates) == 0 {
		return nil
	}
	var text bytes.Buffer
	if err := witness.PrintModel(&text, &shared, m.sat.answer.Model); err != nil {
		return nil
	}
	// The definitions stand in parentheses: those of the other predicates go before the last one.
	all := append(bytes.TrimSuffix(bytes.TrimSpace(text.Bytes()), []byte(")")), append(rest.Bytes(), ')')...)
	model, err := smtlib.ReadModel("", all, script)
	if err != nil {
		return nil
	}
	return model
}

// candidates are the conjuncts of a model without quantifiers and recursive functions, over canonical parameters.
func candidates(script *smtlib.Script, model *witness.Model) map[*chc.Predicate][]*term.Term {
	pool := script.System.Pool
	out := map[*chc.Predicate][]*term.Term{}
	if len(model.Definitions) > 0 {
		return nil
	}
	for _, p := range script.System.Predicates {
		i := model.Interpretations[p]
		body := i.Apply(pool, witness.CanonicalParams(pool, p))
		conjuncts := []*term.Term{body}
		if body.IsAnd() {
			conjuncts = body.Args()
		}
		for _, c := range conjuncts {
			if !c.HasQuantifier() && !c.IsTrue() && !c.IsFalse() {
				out[p] = append(out[p], c)
			}
		}
	}
	return out
}

// place is where a clause stands: the position of its formula, and which of the formula's clauses it is.
type place struct {
	chc.Position
	index int
}

// places are those of the clauses.
func places(sys *chc.System) []place {
	out := make([]place, len(sys.Clauses))
	seen := map[chc.Position]int{}
	for i, c := range sys.Clauses {
		out[i] = place{c.Pos, seen[c.Pos]}
		seen[c.Pos]++
	}
	return out
}

// carriedRefutation are the steps of the last refutation whose clauses are those of the script; nil where there are none.
func (m *Memory) carriedRefutation(script *smtlib.Script) *witness.Refutation {
	if m.unsat.check == 0 {
		return nil
	}
	now := map[place]*chc.Clause{}
	for i, at := range places(script.System) {
		now[at] = script.System.Clauses[i]
	}
	then := places(m.unsat.script.System)
	kept := &witness.Refutation{}
	number := map[int]int{}
	for i, s := range m.unsat.answer.Refutation.Steps {
		if s.Repeat != nil {
			continue
		}
		c := now[then[s.Clause.ID]]
		if c == nil || s.Terms != nil {
			continue
		}
		premises := make([]int, 0, len(s.Premises))
		for _, q := range s.Premises {
			if k, ok := number[q]; ok {
				premises = append(premises, k)
			}
		}
		if len(premises) < len(s.Premises) {
			continue
		}
		// The step is printed with the clause's new number.
		old := *s.Clause
		old.ID = c.ID
		number[i] = len(kept.Steps)
		kept.Steps = append(kept.Steps, witness.Step{Clause: &old, Values: s.Values, Premises: premises})
	}
	if len(kept.Steps) == 0 {
		return nil
	}
	var text bytes.Buffer
	if err := witness.PrintRefutation(&text, m.unsat.script.System, kept); err != nil {
		return nil
	}
	ref, err := smtlib.ReadRefutation("", text.Bytes(), script)
	if err != nil {
		return nil
	}
	return ref
}

// factsPass makes clauses of what the steps derive: ground atoms that follow from the system's clauses.
func factsPass(known *witness.Refutation) transform.Pass {
	return transform.Pass{
		Name: "known-facts",
		Doc:  "Adds what earlier checks have derived as clauses.",
		Run: func(_ context.Context, _ transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
			back := &factsTranslator{clauses: len(sys.Clauses), known: known}
			clauses := slices.Clone(sys.Clauses)
			for i, s := range known.Steps {
				values, err := witness.HeadValues(sys.Pool, s)
				if err != nil || s.Clause.IsQuery() || len(back.steps) == mostFacts {
					continue
				}
				head := chc.App{Pred: s.Clause.Head.Pred}
				for _, v := range values {
					head.Args = append(head.Args, v.Term(sys.Pool))
				}
				clauses = append(clauses, &chc.Clause{ID: len(clauses), Constraint: sys.Pool.True(), Head: &head, Pos: s.Clause.Pos})
				back.steps = append(back.steps, i)
			}
			if len(back.steps) == 0 {
				return sys, nil, nil
			}
			return transform.Rebuild(sys, sys.Predicates, clauses), back, nil
		},
	}
}

// factsTranslator carries witnesses back to the system without the facts: a model is one of fewer clauses too, and in a refutation a
// fact is derived as it was before.
type factsTranslator struct {
	// clauses is the number of clauses without the facts; the i-th fact is what known.Steps[steps[i]] derives.
	clauses int
	known   *witness.Refutation
	steps   []int
}

func (f *factsTranslator) Model(_ context.Context, m *witness.Model) (*witness.Model, error) {
	return m, nil
}

// CarriesRepeats says that repeated steps are carried back: no fact is in a round.
func (f *factsTranslator) CarriesRepeats() bool { return true }

func (f *factsTranslator) Refutation(_ context.Context, r *witness.Refutation) (*witness.Refutation, error) {
	out := &witness.Refutation{Steps: slices.Clone(f.known.Steps)}
	number := make([]int, len(r.Steps))
	for i, s := range r.Steps {
		if s.Repeat == nil && s.Clause.ID >= f.clauses {
			number[i] = f.steps[s.Clause.ID-f.clauses]
			continue
		}
		s.Premises = slices.Clone(s.Premises)
		for k, q := range s.Premises {
			s.Premises[k] = number[q]
		}
		number[i] = len(out.Steps)
		out.Steps = append(out.Steps, s)
	}
	return out.Prune(), nil
}

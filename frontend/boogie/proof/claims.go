package proof

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/encode"
)

// Kind says what a claim is about.
type Kind uint8

// The kinds of claims.
const (
	// Requires holds whenever the procedure is entered.
	Requires Kind = iota
	// Ensures holds whenever the procedure returns.
	Ensures
	// Invariant holds whenever a run comes to the head of a loop.
	Invariant
)

// Claim is what holds at a place of the program.
type Claim struct {
	Kind      Kind
	Procedure *ast.Procedure
	// Head is the loop that an invariant belongs to, nil for others.
	Head *Head
	// Pos is where the procedure's name stands, or the loop.
	Pos chc.Position
	// Formula is over the variables of Names, which says what each stands for. In what a procedure ensures, and at a
	// loop's head, a global has a value AtEntry and one Now when the procedure may change it; when it may not, and in
	// what is required, its only value is AtEntry.
	Formula *term.Term
	Names   []Name
	// reduced are the parts that Reduce made of the formula, where isReduced says that it did.
	reduced   []*term.Term
	isReduced bool
}

// Name says what a variable of a formula stands for.
type Name struct {
	Variable *term.Term
	Argument encode.Argument
}

// Options say what a proof is about, beside its model.
type Options struct {
	// ErrorProcedures are those that may not be entered, beside the usual ones, as the encoding was told.
	ErrorProcedures []string
}

// Claims returns what a model of a program's clauses says about the program: for each procedure, in the program's order,
// what is required, what is ensured and the invariants of its loops. True is not claimed. With the claims as contracts
// and invariants the program is verified procedure by procedure, if the model is one. A model that says nothing of a
// predicate is one for which the contracts and invariants of the program are enough; then there are only claims about what
// no run reaches.
func Claims(e *encode.Encoding, m *witness.Model, o Options) []*Claim {
	c := &claimer{Encoding: e, model: m, pool: e.System.Pool, reached: reached(e, o), summaries: map[*ast.Procedure]*chc.Predicate{}, failures: map[*ast.Procedure]*chc.Predicate{}, points: map[any]*chc.Predicate{}}
	for _, pred := range e.System.Predicates {
		switch m := e.Meanings[pred]; m.Kind {
		case encode.Summary:
			c.summaries[m.Procedure] = pred
		case encode.Failure:
			c.failures[m.Procedure] = pred
		case encode.Point:
			if m.Block.Loop {
				c.points[headKey(m.Graph.Implementation, m.Block)] = pred
			}
		}
	}
	for _, p := range e.Program.Procedures {
		c.procedure(p)
	}
	return c.claims
}

// claimer collects claims.
type claimer struct {
	*encode.Encoding
	model   *witness.Model
	pool    *term.Pool
	reached map[*ast.Procedure]reach
	// The predicates of procedures and loops' heads.
	summaries, failures map[*ast.Procedure]*chc.Predicate
	points              map[any]*chc.Predicate
	claims              []*Claim
}

func (c *claimer) add(claim *Claim) {
	if !claim.Formula.IsTrue() {
		c.claims = append(c.claims, claim)
	}
}

func (c *claimer) procedure(p *ast.Procedure) {
	entry := slices.Contains(c.Entries, p)
	how := c.reached[p]
	if how != reachedBody {
		// No run of the body is looked at, since no run comes here, or none may.
		if !entry && (how == reachedError || len(p.Implementations) > 0) {
			c.add(&Claim{Kind: Requires, Procedure: p, Pos: p.Pos, Formula: c.pool.False()})
		}
		return
	}
	var required *Claim
	if pred := c.failures[p]; pred != nil && !entry {
		if _, known := c.model.Interpretations[pred]; known {
			required = c.interpretation(pred, &Claim{Kind: Requires, Procedure: p, Pos: p.Pos})
			required.Formula = c.pool.Not(required.Formula)
			c.add(required)
		}
	}
	switch pred := c.summaries[p]; {
	case c.atExit(p):
		c.add(&Claim{Kind: Ensures, Procedure: p, Pos: p.Pos, Formula: c.pool.False()})
	case pred != nil:
		c.add(c.under(required, c.interpretation(pred, &Claim{Kind: Ensures, Procedure: p, Pos: p.Pos})))
	}
	for _, impl := range p.Implementations {
		for _, h := range heads(impl) {
			claim := &Claim{Kind: Invariant, Procedure: p, Head: h, Pos: h.Pos, Formula: c.pool.False()}
			if pred := c.points[h.key]; pred != nil {
				claim = c.under(required, c.interpretation(pred, claim))
			}
			c.add(claim)
		}
	}
}

// atExit reports whether a query asks for the exit of an entry.
func (c *claimer) atExit(p *ast.Procedure) bool {
	for clause, q := range c.Queries {
		if q == p && c.Meanings[clause.Body[0].Pred].Kind == encode.Summary {
			return true
		}
	}
	return false
}

// interpretation gives a claim what the model says of a predicate.
func (c *claimer) interpretation(pred *chc.Predicate, claim *Claim) *Claim {
	i, ok := c.model.Interpretations[pred]
	if !ok {
		claim.Formula = c.pool.True()
		return claim
	}
	claim.Formula = i.Body
	for k, a := range c.Meanings[pred].Arguments {
		claim.Names = append(claim.Names, Name{i.Params[k], a})
	}
	return claim
}

// under simplifies a claim about a procedure's body by what the procedure requires: a model may say that something holds of the calls
// that there are only, which are those that are allowed. The literals that are required are true in the claim.
func (c *claimer) under(required, claim *Claim) *Claim {
	if required == nil {
		return claim
	}
	names := map[*term.Term]*term.Term{}
	for _, n := range required.Names {
		if i := slices.IndexFunc(claim.Names, func(m Name) bool { return m.Argument == n.Argument }); i >= 0 {
			names[n.Variable] = claim.Names[i].Variable
		}
	}
	holds := map[*term.Term]*term.Term{}
	for _, f := range conjuncts(c.pool, required.Formula, true, nil) {
		if !f.IsLiteral() || slices.ContainsFunc(term.Vars(f), func(v *term.Term) bool { return names[v] == nil }) {
			continue
		}
		atom, positive := c.pool.Substitute(f, names).Atom()
		holds[atom] = c.pool.Bool(positive)
	}
	claim.Formula = c.pool.Substitute(claim.Formula, holds)
	return claim
}

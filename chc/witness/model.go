package witness

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// Interpretation is the meaning of one predicate in a Model: the set of argument tuples for which Body holds. Body is
// over Params only (distinct variables of the argument sorts).
type Interpretation struct {
	Params []*term.Term
	Body   *term.Term
}

// Model interprets every predicate of a system; it witnesses sat.
type Model struct {
	Interpretations map[*chc.Predicate]Interpretation
	// Definitions are the recursive functions that the interpretations apply, each after those that it applies itself.
	// Most models have none.
	Definitions []Definition
	// Lemmas are properties of Definitions that the proof of some clause needs.
	Lemmas []Lemma
	// Least says that every predicate means what the clauses derive of it; there are no interpretations then.
	Least bool
	// Steps is how many clauses the derivations of predicates from recursive clauses have at most, which makes their least model a
	// formula; 0 for clauses without recursion.
	Steps int
	// checked has the clauses of which AskLeast or AskWithin has found this least model to be one.
	checked []*chc.Clause
}

// Definition is a total function over datatypes by structural recursion, such as the length of a list: Func applied to
// Params equals Body, in which Func is applied to fields of the first parameter only, under a test for their constructor. Or the first
// parameter is an integer, and Func is applied to smaller ones only, under a test that bounds it from below.
type Definition struct {
	Func   *term.Func
	Params []*term.Term
	Body   *term.Term
}

// Lemma is a formula that holds for all values of Vars, by induction on the first of them.
type Lemma struct {
	Vars []*term.Term
	Body *term.Term
}

// Apply returns the interpretation of the atom with these arguments: Body with the arguments for Params, at once and
// without capture. It panics when there are not as many arguments as parameters.
func (i Interpretation) Apply(p *term.Pool, args []*term.Term) *term.Term {
	if len(args) != len(i.Params) {
		panic(fmt.Sprintf("witness: %d arguments for %d parameters", len(args), len(i.Params)))
	}
	if slices.Equal(args, i.Params) || i.Body.IsTrue() || i.Body.IsFalse() {
		return i.Body
	}
	m := make(map[*term.Term]*term.Term, len(args))
	for k, x := range i.Params {
		m[x] = args[k]
	}
	return p.Substitute(i.Body, m)
}

// CanonicalParams returns variables for the predicate's arguments: distinct, the same for every predicate of that name
// and those sorts, and different from those of every other predicate. No fresh variable of the pool is among them.
func CanonicalParams(p *term.Pool, pred *chc.Predicate) []*term.Term {
	params := make([]*term.Term, len(pred.Sorts))
	for i, s := range pred.Sorts {
		params[i] = p.Var(pred.Name+"$"+strconv.Itoa(i), s)
	}
	return params
}

// True returns the interpretation of pred that holds everywhere, over its canonical parameters.
func True(p *term.Pool, pred *chc.Predicate) Interpretation {
	return Interpretation{Params: CanonicalParams(p, pred), Body: p.True()}
}

// False returns the interpretation of pred that holds nowhere, over its canonical parameters.
func False(p *term.Pool, pred *chc.Predicate) Interpretation {
	return Interpretation{Params: CanonicalParams(p, pred), Body: p.False()}
}

// NewModel returns a model without interpretations.
func NewModel() *Model {
	return &Model{Interpretations: map[*chc.Predicate]Interpretation{}}
}

// Clone returns a model that can be changed without changing m.
func (m *Model) Clone() *Model {
	c := &Model{
		Interpretations: maps.Clone(m.Interpretations),
		Definitions:     slices.Clone(m.Definitions),
		Lemmas:          slices.Clone(m.Lemmas),
	}
	if c.Interpretations == nil {
		c.Interpretations = map[*chc.Predicate]Interpretation{}
	}
	return c
}

// Size is the number of DAG nodes of all bodies together, for reports and for choosing the smaller of two models.
func (m *Model) Size() int {
	n := 0
	for _, i := range m.Interpretations {
		n += i.Body.Size()
	}
	return n
}

// wellFormed reports the first predicate, in declaration order, that m does not interpret as a Boolean term over
// parameters of its sorts. The error wraps ErrInvalid.
func (m *Model) wellFormed(sys *chc.System) error {
	if m.Least {
		return nil // Whether the clauses are recursive is found when it is checked.
	}
	for _, pred := range sys.Predicates {
		i, ok := m.Interpretations[pred]
		if !ok {
			return fmt.Errorf("%w: no interpretation of predicate %s", ErrInvalid, term.QuoteSymbol(pred.Name))
		}
		if err := i.wellFormed(sys.Pool, pred); err != nil {
			return fmt.Errorf("%w: interpretation of predicate %s: %w", ErrInvalid, term.QuoteSymbol(pred.Name), err)
		}
	}
	if len(m.Definitions) > 0 || len(m.Lemmas) > 0 {
		return m.wellFormedDefinitions(sys)
	}
	return nil
}

func (i Interpretation) wellFormed(p *term.Pool, pred *chc.Predicate) error {
	if len(i.Params) != pred.Arity() {
		return fmt.Errorf("%d parameters for %d arguments", len(i.Params), pred.Arity())
	}
	if err := distinctVariables(p, "parameter", i.Params); err != nil {
		return err
	}
	bound := make(map[*term.Term]bool, len(i.Params))
	for k, x := range i.Params {
		bound[x] = true
		if x.Sort() != pred.Sorts[k] {
			return fmt.Errorf("parameter %d has sort %s and not %s", k, x.Sort(), pred.Sorts[k])
		}
	}
	switch {
	case i.Body == nil:
		return fmt.Errorf("it has no body")
	case i.Body.Pool() != p:
		return fmt.Errorf("its body belongs to another pool")
	case i.Body.Sort() != term.Bool:
		return fmt.Errorf("its body has sort %s", i.Body.Sort())
	}
	for _, v := range term.Vars(i.Body) {
		if !bound[v] {
			return fmt.Errorf("variable %s is not a parameter", term.QuoteSymbol(v.Name()))
		}
	}
	return nil
}

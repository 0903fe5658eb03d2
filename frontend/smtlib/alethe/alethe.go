package alethe

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/frontend/smtlib"
)

// ErrForm is wrapped by the error of Write for refutations that have no proof in this form: over other sorts than Bool, Int and Real, of
// assertions of other forms than an implication, a disjunction or an atom, or of scripts with definitions.
var ErrForm = errors.New("the refutation has no Alethe proof")

// Write writes the refutation of a script's clauses.
func Write(w io.Writer, script *smtlib.Script, r *witness.Refutation) error {
	p := &printer{out: bufio.NewWriter(w), script: script, assumed: map[*assertion]string{}, predicates: map[string]bool{}}
	if r.Repeats() {
		return fmt.Errorf("%w: it repeats steps", ErrForm)
	}
	if err := p.refutation(r.Prune()); err != nil {
		return fmt.Errorf("%w: %w", ErrForm, err)
	}
	return p.out.Flush()
}

type printer struct {
	out    *bufio.Writer
	script *smtlib.Script
	source *smtlib.Embedded
	reader *smtlib.TermReader
	// predicates are the names of predicates as formulas write them.
	predicates map[string]bool
	// assumed are the assumptions by their assertions.
	assumed map[*assertion]string
	steps   int
	// truth is the step that derives true.
	truth string
}

// fact is what a step of the refutation derives: the formula, and the step of the proof.
type fact struct {
	formula *formula
	step    string
}

func (p *printer) refutation(r *witness.Refutation) error {
	p.source = smtlib.NewEmbedded(p.script.Name, p.script.Source, term.NewPool())
	p.reader = smtlib.NewTermReader(p.script)
	asserted, err := assertions(p.source)
	if err != nil {
		return err
	}
	for _, q := range p.script.Declared {
		p.predicates[term.QuoteSymbol(q.Name)], p.predicates["|"+q.Name+"|"] = true, true
	}
	if len(r.Steps) == 0 {
		return errors.New("it has no steps")
	}
	facts := make([]fact, len(r.Steps))
	for i, s := range r.Steps {
		if s.Terms != nil {
			return errors.New("it depends on operations that SMT-LIB leaves open")
		}
		if s.Clause.Head != nil && s.Clause.Head.Pred.ID >= len(p.script.Declared) {
			return errors.New("an assertion has many cases")
		}
		a := asserted[s.Clause.Pos]
		if a == nil {
			return fmt.Errorf("step %d is no instance of an assertion", i)
		}
		premises := make([]fact, len(s.Premises))
		for k, q := range s.Premises {
			premises[k] = facts[q]
		}
		if facts[i], err = p.instance(a, s, premises); err != nil {
			return fmt.Errorf("the assertion at %s: %w", s.Clause.Pos, err)
		}
	}
	return nil
}

// step writes a step and returns its name.
func (p *printer) step(rule string, premises []string, args []*formula, clause ...*formula) string {
	p.steps++
	name := fmt.Sprintf("t%d", p.steps)
	fmt.Fprintf(p.out, "(step %s (cl", name)
	for _, l := range clause {
		p.out.WriteString(" " + l.String())
	}
	fmt.Fprintf(p.out, ") :rule %s", rule)
	if len(premises) > 0 {
		fmt.Fprintf(p.out, " :premises (%s)", strings.Join(premises, " "))
	}
	for i, a := range args {
		if i == 0 {
			p.out.WriteString(" :args (")
		} else {
			p.out.WriteString(" ")
		}
		p.out.WriteString(a.String())
	}
	if len(args) > 0 {
		p.out.WriteString(")")
	}
	p.out.WriteString(")\n")
	return name
}

// instance derives the head of a step's clause from the facts of its premises; the head of a query is the empty clause.
func (p *printer) instance(a *assertion, s witness.Step, premises []fact) (fact, error) {
	values, args, err := p.valuesOf(a, s)
	if err != nil {
		return fact{}, err
	}
	size := mostNodes
	matrix, err := expand(p.source, a.matrix, values, &size)
	if err != nil {
		return fact{}, err
	}
	step := p.instantiate(a, matrix, args)
	literals := []*formula{matrix}
	switch {
	case matrix.is("=>") && len(matrix.list) == 3:
		literals = []*formula{negated(matrix.list[1]), matrix.list[2]}
		step = p.step("implies", []string{step}, nil, literals...)
	case matrix.is("or"):
		literals = matrix.list[1:]
		step = p.step("or", []string{step}, nil, literals...)
	}
	var target *formula
	if s.Clause.Head != nil {
		if target, err = p.canonical(s); err != nil {
			return fact{}, err
		}
	}
	resolvents := []string{step}
	var head *formula
	for _, l := range literals {
		if p.isAtom(l) && head == nil && target != nil {
			head = l
			continue
		}
		unit, err := p.refute(l, premises)
		if err != nil {
			return fact{}, err
		}
		resolvents = append(resolvents, unit)
	}
	if (head == nil) != (target == nil) {
		return fact{}, errors.New("it is neither an implication, nor a disjunction, nor an atom")
	}
	if head == nil {
		if len(resolvents) > 1 {
			p.step("resolution", resolvents, nil)
		}
		return fact{}, nil
	}
	if len(resolvents) > 1 {
		step = p.step("resolution", resolvents, nil, head)
	}
	equal, err := p.equate(head, target)
	if err != nil || equal == "" {
		return fact{target, step}, err
	}
	forward := p.step("equiv1", []string{equal}, nil, negated(head), target)
	return fact{target, p.step("resolution", []string{forward, step}, nil, target)}, nil
}

// valuesOf are the values of the assertion's variables by name and in order. A variable that the clause does not have may have any.
func (p *printer) valuesOf(a *assertion, s witness.Step) (byName map[string]*formula, inOrder []*formula, err error) {
	byName = map[string]*formula{}
	for _, v := range a.variables {
		sort, err := p.reader.Sort(p.source.Text(v.List[1]))
		if err != nil {
			return nil, nil, err
		}
		value := term.DefaultValue(p.script.System.Pool, sort)
		for variable, x := range s.Values {
			if variable.Name() == v.List[0].Text && variable.Sort() == sort {
				value = x
			}
		}
		f, err := valueOf(value.Term(p.script.System.Pool))
		if err != nil {
			return nil, nil, err
		}
		byName[v.List[0].Text] = f
		inOrder = append(inOrder, f)
	}
	return byName, inOrder, nil
}

// instantiate derives an instance of an assertion.
func (p *printer) instantiate(a *assertion, matrix *formula, args []*formula) string {
	assumption, ok := p.assumed[a]
	if !ok {
		assumption = fmt.Sprintf("h%d", len(p.assumed)+1)
		p.assumed[a] = assumption
		fmt.Fprintf(p.out, "(assume %s %s)\n", assumption, p.source.Text(a.node))
	}
	if len(args) == 0 {
		return assumption
	}
	general := &formula{atom: p.source.Text(a.node)}
	disjunction := apply("or", negated(general), matrix)
	step := p.step("forall_inst", nil, args, disjunction)
	step = p.step("or", []string{step}, nil, negated(general), matrix)
	return p.step("resolution", []string{step, assumption}, nil, matrix)
}

// canonical is the head of a step with values for its arguments.
func (p *printer) canonical(s witness.Step) (*formula, error) {
	values, err := witness.HeadValues(p.script.System.Pool, s)
	if err != nil {
		return nil, err
	}
	name := term.QuoteSymbol(s.Clause.Head.Pred.Name)
	if len(values) == 0 {
		return &formula{atom: name}, nil
	}
	out := apply(name)
	for _, v := range values {
		f, err := valueOf(v.Term(p.script.System.Pool))
		if err != nil {
			return nil, err
		}
		out.list = append(out.list, f)
	}
	return out, nil
}

// isAtom reports whether a formula applies a predicate, or is one.
func (p *printer) isAtom(f *formula) bool {
	return p.predicates[f.atom] || len(f.list) > 1 && p.predicates[f.list[0].atom]
}

// hasAtom reports whether a predicate occurs in a formula.
func (p *printer) hasAtom(f *formula) bool {
	return p.isAtom(f) || slices.ContainsFunc(f.list, p.hasAtom)
}

// refute derives the negation of a literal of a clause, or what it is the negation of.
func (p *printer) refute(l *formula, premises []fact) (string, error) {
	switch {
	case l.is("not"):
		return p.prove(l.list[1], premises)
	case l.atom == "false":
		return p.step("false", nil, nil, negated(l)), nil
	case p.hasAtom(l):
		return "", fmt.Errorf("%s is no literal of a Horn clause", l)
	}
	return p.prove(negated(l), premises)
}

// prove derives a ground formula that follows from facts and by evaluation.
func (p *printer) prove(f *formula, premises []fact) (string, error) {
	switch {
	case p.isAtom(f):
		return p.proveAtom(f, premises)
	case !p.hasAtom(f):
		return p.evaluate(f)
	case f.is("and"):
		clause, resolvents := []*formula{f}, []string{""}
		for _, part := range f.list[1:] {
			unit, err := p.prove(part, premises)
			if err != nil {
				return "", err
			}
			clause, resolvents = append(clause, negated(part)), append(resolvents, unit)
		}
		resolvents[0] = p.step("and_neg", nil, nil, clause...)
		return p.step("resolution", resolvents, nil, f), nil
	case f.is("or"):
		for i, part := range f.list[1:] {
			if !p.holds(part, premises) {
				continue
			}
			unit, err := p.prove(part, premises)
			if err != nil {
				return "", err
			}
			choice := p.step("or_neg", nil, []*formula{{atom: fmt.Sprint(i)}}, f, negated(part))
			return p.step("resolution", []string{choice, unit}, nil, f), nil
		}
	}
	return "", fmt.Errorf("%s does not follow by conjunctions and disjunctions from facts", f)
}

// holds reports whether prove derives a formula.
func (p *printer) holds(f *formula, premises []fact) bool {
	switch {
	case p.isAtom(f):
		i, _ := p.factFor(f, premises)
		return i >= 0
	case !p.hasAtom(f):
		return p.isTrue(f)
	case f.is("and"):
		return !slices.ContainsFunc(f.list[1:], func(part *formula) bool { return !p.holds(part, premises) })
	case f.is("or"):
		return slices.ContainsFunc(f.list[1:], func(part *formula) bool { return p.holds(part, premises) })
	}
	return false
}

// factFor returns the index of the fact that an atom is, with values for its arguments; -1 where there is none.
func (p *printer) factFor(f *formula, premises []fact) (int, error) {
	for i, known := range premises {
		if known.formula == nil || len(known.formula.list) != len(f.list) {
			continue
		}
		if name := strings.Trim(symbol(f), "|"); name != strings.Trim(symbol(known.formula), "|") {
			continue
		}
		same := true
		for k := 1; k < len(f.list); k++ {
			same = same && p.isTrue(apply("=", f.list[k], known.formula.list[k]))
		}
		if same {
			return i, nil
		}
	}
	return -1, fmt.Errorf("no premise has the fact %s", f)
}

// symbol is the predicate of an atom.
func symbol(f *formula) string {
	if f.list == nil {
		return f.atom
	}
	return f.list[0].atom
}

// proveAtom derives an atom from the fact that it is.
func (p *printer) proveAtom(f *formula, premises []fact) (string, error) {
	i, err := p.factFor(f, premises)
	if err != nil {
		return "", err
	}
	equal, err := p.equate(f, premises[i].formula)
	if err != nil || equal == "" {
		return premises[i].step, err
	}
	back := p.step("equiv2", []string{equal}, nil, f, negated(premises[i].formula))
	return p.step("resolution", []string{back, premises[i].step}, nil, f), nil
}

// equate derives that an atom equals the one with values for its arguments; "" where they are the same.
func (p *printer) equate(f, canonical *formula) (string, error) {
	var premises []string
	for k := 1; k < len(f.list); k++ {
		if f.list[k].String() == canonical.list[k].String() {
			continue
		}
		equal, err := p.evaluate(apply("=", f.list[k], canonical.list[k]))
		if err != nil {
			return "", err
		}
		premises = append(premises, equal)
	}
	if len(premises) == 0 {
		return "", nil
	}
	return p.step("cong", premises, nil, apply("=", f, canonical)), nil
}

// evaluate derives a ground formula without predicates, which must be true.
func (p *printer) evaluate(f *formula) (string, error) {
	if !p.isTrue(f) {
		return "", fmt.Errorf("%s is not true", f)
	}
	top := &formula{atom: "true"}
	if p.truth == "" {
		p.truth = p.step("true", nil, nil, top)
	}
	if f.atom == "true" {
		return p.truth, nil
	}
	equal := p.step("evaluate", nil, nil, apply("=", f, top))
	back := p.step("equiv2", []string{equal}, nil, f, negated(top))
	return p.step("resolution", []string{back, p.truth}, nil, f), nil
}

// isTrue evaluates a ground formula without predicates.
func (p *printer) isTrue(f *formula) bool {
	t, err := p.reader.Term(f.String())
	return err == nil && term.NewEvaluator(p.script.System.Pool, term.MapAssignment{}).True(t)
}

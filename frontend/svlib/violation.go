package svlib

import (
	"fmt"
	"slices"
	"strings"

	"hornbeam/chc/term"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/interpret"
)

// Recorder records the choices of a run of a program.
type Recorder struct {
	program *Program
	// err says why the run cannot be written.
	err     error
	globals []string
	steps   []string
	// entry is the procedure that the run begins with.
	entry *Procedure
	ended *interpret.Event
	// elements are the numbers of the elements of uninterpreted types, in the order in which they occur; with nil they keep theirs.
	elements map[string]map[string]int
}

// NewRecorder returns a recorder for runs of a program, of which it keeps the last.
func NewRecorder(p *Program) *Recorder { return &Recorder{program: p} }

// Observe takes the next event.
func (r *Recorder) Observe(e interpret.Event) {
	switch e.Kind {
	case interpret.Begun:
		*r = Recorder{program: r.program, elements: map[string]map[string]int{}, entry: r.program.Call.Procedure}
		var inputs []string
		for _, c := range e.Changes {
			if v := r.program.variables[c.Variable]; v != nil {
				r.globals = append(r.globals, r.pair(v, c.Value))
			} else if x := r.program.terms[c.Variable]; x != nil {
				inputs = append(inputs, r.value(term.QuoteSymbol(c.Variable.Name), c.Value, x.Sort()))
			}
		}
		if p := r.program.roots[e.Procedure.Name]; p != nil {
			// The run begins in a state that the contract of the procedure allows, which need be no state of a run from the entry.
			r.entry = p
			r.steps = append(r.steps, fmt.Sprintf("(leap %s)", strings.Join(append([]string{tagOf(p.Body)}, inputs...), " ")))
		}
	case interpret.Declared:
		if p := r.program.procedures[e.Procedure.Name]; p != nil {
			r.step("init-proc-vars "+term.QuoteSymbol(p.Name), e.Changes)
		}
	case interpret.Stepped:
		from := r.program.origins[e.Stmt]
		switch e.Stmt.(type) {
		case *ast.Havoc:
			switch from.Operation {
			case Havoc:
				r.step("havoc", e.Changes)
			case Call:
				r.step("leap "+tagOf(from.Callee.Body), e.Changes)
			default:
				r.step("leap "+tagOf(from), e.Changes)
			}
		case *ast.Goto:
			if from != nil {
				r.steps = append(r.steps, fmt.Sprintf("(choice %d)", e.Way))
			}
		}
	case interpret.Ended:
		r.ended = &e
	}
}

func (r *Recorder) step(head string, changes []interpret.Change) {
	parts := []string{head}
	for _, c := range changes {
		if v := r.program.variables[c.Variable]; v != nil {
			parts = append(parts, r.pair(v, c.Value))
		}
	}
	r.steps = append(r.steps, "("+strings.Join(parts, " ")+")")
}

func (r *Recorder) pair(v *Variable, value interpret.Value) string {
	return r.value(term.QuoteSymbol(v.Name), value, v.Term.Sort())
}

// value is a name with its value.
func (r *Recorder) value(name string, v interpret.Value, s *term.Sort) string {
	t, err := r.termOf(v, s)
	if err != nil {
		r.err = err
		return ""
	}
	return fmt.Sprintf("(%s %s)", name, t)
}

// termOf is a value of a run as a term.
func (r *Recorder) termOf(v interpret.Value, s *term.Sort) (*term.Term, error) {
	p := r.program.Script.Pool
	switch v := v.(type) {
	case interpret.Bool:
		return p.Bool(bool(v)), nil
	case interpret.Int:
		return p.IntNum(term.NumFromBig(v.N)), nil
	case interpret.Real:
		return p.Real(term.NumFromRat(v.R)), nil
	case interpret.BitVector:
		return p.BVNum(term.NumFromBig(v.N), s.Width), nil
	case interpret.Element:
		if r.elements == nil {
			return p.Element(s, int(v.N.Int64())), nil
		}
		numbers := r.elements[s.Name]
		if numbers == nil {
			numbers = map[string]int{}
			r.elements[s.Name] = numbers
		}
		n, known := numbers[v.N.String()]
		if !known {
			n = len(numbers)
			numbers[v.N.String()] = n
		}
		return p.Element(s, n), nil
	case *interpret.Data:
		decl := v.Constructor.Datatype
		c := s.Data.Constructors[slices.Index(decl.Constructors, v.Constructor)]
		args := make([]*term.Term, len(v.Fields))
		for i, f := range v.Fields {
			var err error
			if args[i], err = r.termOf(f, c.Selectors[i].Sort); err != nil {
				return nil, err
			}
		}
		return p.Construct(c, args...), nil
	case *interpret.Map:
		fallback, entries := v.Entries()
		if fallback != nil {
			rest, err := r.termOf(fallback, s.Elem)
			if err != nil {
				return nil, err
			}
			t := p.ConstArray(s, rest)
			for _, e := range entries {
				index, err := r.termOf(e[0], s.Index)
				if err != nil {
					return nil, err
				}
				elem, err := r.termOf(e[1], s.Elem)
				if err != nil {
					return nil, err
				}
				t = p.Store(t, index, elem)
			}
			return t, nil
		}
	}
	return nil, fmt.Errorf("the run has a value that SV-LIB has no words for: %s", v)
}

// tagOf is the name of a statement's tag; a statement without one is named by its place.
func tagOf(s *Statement) string {
	if len(s.Tags) > 0 {
		return term.QuoteSymbol(s.Tags[0])
	}
	return term.QuoteSymbol(s.Place)
}

// broken is the annotation that a run breaks.
func (p *Program) broken(o interpret.Outcome) (tag, attribute, text string, ok bool) {
	c, ok := p.claims[o.Pos]
	if !ok {
		return "", "", "", false
	}
	tag = tagOf(c.statement)
	if c.property.Tag != "" {
		tag = term.QuoteSymbol(c.property.Tag)
	}
	return tag, c.property.Attribute, c.property.Text, true
}

// Witness is the last run as a violation witness, without the parentheses around it.
func (r *Recorder) Witness() (string, error) {
	if r.ended == nil {
		return "", fmt.Errorf("there is no run that fails")
	}
	o := r.ended.Outcome
	tag, attribute, text, ok := r.program.broken(o)
	if !ok {
		return "", fmt.Errorf("%s: no annotation of the script fails here", o.Pos)
	}
	model, err := r.model(o)
	switch {
	case r.err != nil:
		return "", r.err
	case err != nil:
		return "", err
	}
	var b strings.Builder
	list := func(word string, parts []string) {
		fmt.Fprintf(&b, "\n  (%s", word)
		for _, p := range parts {
			fmt.Fprintf(&b, "\n    %s", p)
		}
		b.WriteString(")")
	}
	b.WriteString("(select-trace")
	list("model", model)
	list("init-global-vars", r.globals)
	fmt.Fprintf(&b, "\n  (entry-proc %s)", term.QuoteSymbol(r.entry.Name))
	list("steps", r.steps)
	fmt.Fprintf(&b, "\n  (incorrect-annotation %s %s %s))\n", tag, attribute, text)
	return b.String(), nil
}

// model are the constants and functions of the script with their values in the run; a function has one value wherever the run does
// not need it.
func (r *Recorder) model(o interpret.Outcome) ([]string, error) {
	applications := map[*ast.Function][]interpret.Application{}
	for _, a := range o.Applications {
		if a.Function == nil {
			return nil, fmt.Errorf("the run depends on what a division by zero gives, of which a witness cannot speak")
		}
		applications[a.Function] = append(applications[a.Function], a)
	}
	var out []string
	for _, d := range r.program.Tree.Declarations {
		i, ok := r.program.symbols[d]
		if !ok {
			continue
		}
		symbol := r.program.Script.Symbols[i]
		var params []string
		var value interpret.Value
		var ites []interpret.Application
		switch d := d.(type) {
		case *ast.Variable:
			value = o.Constants[d]
			if value == nil {
				continue // the run does not need it
			}
		case *ast.Function:
			ites = applications[d]
			if len(ites) == 0 {
				continue
			}
			value = ites[len(ites)-1].Result
			ites = ites[:len(ites)-1]
			for j, s := range symbol.Domain {
				params = append(params, fmt.Sprintf("(x!%d %s)", j, s))
			}
		}
		body, err := r.termOf(value, symbol.Range)
		if err != nil {
			return nil, err
		}
		text := body.String()
		for _, a := range slices.Backward(ites) {
			var equal []string
			for j, arg := range a.Args {
				t, err := r.termOf(arg, symbol.Domain[j])
				if err != nil {
					return nil, err
				}
				equal = append(equal, fmt.Sprintf("(= x!%d %s)", j, t))
			}
			if body, err = r.termOf(a.Result, symbol.Range); err != nil {
				return nil, err
			}
			condition := equal[0]
			if len(equal) > 1 {
				condition = fmt.Sprintf("(and %s)", strings.Join(equal, " "))
			}
			text = fmt.Sprintf("(ite %s %s %s)", condition, body, text)
		}
		out = append(out, fmt.Sprintf("(define-fun %s (%s) %s %s)", term.QuoteSymbol(symbol.Name), strings.Join(params, " "), symbol.Range, text))
	}
	return out, nil
}

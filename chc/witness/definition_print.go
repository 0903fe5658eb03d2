package witness

import (
	"bufio"
	"fmt"
	"strings"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// LemmaComment begins a comment line of a printed model that holds a lemma, and LemmaContinued the lines that go on with
// it. Other tools pass over comments.
const LemmaComment, LemmaContinued = "; lemma: ", ";| "

// lineBreaks goes on with the comment after each line break, of which a lemma has those in its quoted symbols.
var lineBreaks = strings.NewReplacer("\r\n", "\r\n"+LemmaContinued, "\r", "\r"+LemmaContinued, "\n", "\n"+LemmaContinued)

// DefinitionDocument is a function that a model defines.
type DefinitionDocument struct {
	Name       string             `json:"name"`
	Parameters []VariableDocument `json:"parameters"`
	Sort       string             `json:"sort"`
	Body       string             `json:"body"`
}

// LemmaDocument is a property of defined functions; its first variable is that of the induction.
type LemmaDocument struct {
	Variables []VariableDocument `json:"variables"`
	Body      string             `json:"body"`
}

// printable returns m with functions whose names can be printed: no predicate, constructor, selector or other function
// has them. It returns m itself when they all can.
func (m *Model) printable(sys *chc.System) *Model {
	if m.Least {
		return spelled(sys)
	}
	if len(m.Definitions) == 0 {
		return m
	}
	taken := symbols(sys)
	renamed := map[*term.Func]*term.Func{}
	for _, d := range m.Definitions {
		name := d.Func.Name
		for n := 2; taken[name] || reserved[name] || strings.ContainsAny(name, "|\\"); n++ {
			name = fmt.Sprintf("%s_%d", strings.NewReplacer("|", "_", "\\", "_").Replace(d.Func.Name), n)
		}
		taken[name] = true
		if name != d.Func.Name {
			renamed[d.Func] = sys.Pool.DeclareFunc(name, d.Func.Domain, d.Func.Range)
		}
	}
	if len(renamed) == 0 {
		return m
	}
	r := functionRenaming{p: sys.Pool, to: renamed, done: map[*term.Term]*term.Term{}}
	out := m.Clone()
	for pred, i := range m.Interpretations {
		out.Interpretations[pred] = Interpretation{Params: i.Params, Body: r.apply(i.Body)}
	}
	for i, d := range m.Definitions {
		out.Definitions[i] = Definition{Func: r.function(d.Func), Params: d.Params, Body: r.apply(d.Body)}
	}
	for i, l := range m.Lemmas {
		out.Lemmas[i] = Lemma{Vars: l.Vars, Body: r.apply(l.Body)}
	}
	return out
}

// functionRenaming replaces functions by others of the same signature.
type functionRenaming struct {
	p    *term.Pool
	to   map[*term.Func]*term.Func
	done map[*term.Term]*term.Term
}

func (r *functionRenaming) function(f *term.Func) *term.Func {
	if g := r.to[f]; g != nil {
		return g
	}
	return f
}

func (r *functionRenaming) apply(t *term.Term) *term.Term {
	if out, ok := r.done[t]; ok || len(t.Args()) == 0 {
		if !ok {
			out = t
		}
		return out
	}
	args := make([]*term.Term, len(t.Args()))
	for i, a := range t.Args() {
		args[i] = r.apply(a)
	}
	var out *term.Term
	if t.Op() == term.Apply {
		out = r.p.Apply(r.function(t.Func()), args...)
	} else {
		out = r.p.Rebuild(t, args)
	}
	r.done[t] = out
	return out
}

// readableDefinition renames the parameters as readable does.
func readableDefinition(sys *chc.System, global map[string]bool, d Definition) Definition {
	named := &chc.Predicate{Name: d.Func.Name}
	for _, x := range d.Params {
		named.ArgNames = append(named.ArgNames, x.Name())
	}
	i := readable(sys, global, named, Interpretation{Params: d.Params, Body: d.Body})
	return Definition{Func: d.Func, Params: i.Params, Body: i.Body}
}

// printDefinitions writes one define-fun-rec for each definition, in their order, one define-funs-rec for those that
// apply each other, and the lemmas as comments.
func (m *Model) printDefinitions(b *bufio.Writer, sys *chc.System, global map[string]bool) {
	index := map[*term.Func]int{}
	for i, d := range m.Definitions {
		index[d.Func] = i
	}
	groups := recursionGroups(m.Definitions, index)
	for from := 0; from < len(m.Definitions); {
		to := from + 1
		for i := from; i < to; i++ {
			for _, j := range groups[i] {
				to = max(to, j+1)
			}
		}
		var heads, bodies []string
		for _, d := range m.Definitions[from:to] {
			d = readableDefinition(sys, global, d)
			heads = append(heads, fmt.Sprintf("%s (%s) %s", term.QuoteSymbol(d.Func.Name), binders(d.Params), d.Func.Range))
			bodies = append(bodies, term.Format(d.Body))
		}
		if len(heads) == 1 {
			fmt.Fprintf(b, "(define-fun-rec %s %s)\n", heads[0], bodies[0])
		} else {
			fmt.Fprintf(b, "(define-funs-rec ((%s)) (%s))\n", strings.Join(heads, ") ("), strings.Join(bodies, " "))
		}
		from = to
	}
	for _, l := range m.Lemmas {
		b.WriteString(LemmaComment)
		b.WriteString(lineBreaks.Replace(quantified(l)))
		b.WriteByte('\n')
	}
}

// binders are variables with their sorts, as they are bound.
func binders(xs []*term.Term) string {
	var b strings.Builder
	for k, x := range xs {
		if k > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "(%s %s)", term.QuoteSymbol(x.Name()), x.Sort())
	}
	return b.String()
}

func variableDocuments(xs []*term.Term) []VariableDocument {
	ds := []VariableDocument{}
	for _, x := range xs {
		ds = append(ds, VariableDocument{Name: x.Name(), Sort: x.Sort().String()})
	}
	return ds
}

// document adds the definitions and lemmas to a model's document.
func (m *Model) document(d *ModelDocument, sys *chc.System, global map[string]bool) {
	for _, f := range m.Definitions {
		f = readableDefinition(sys, global, f)
		d.Definitions = append(d.Definitions, DefinitionDocument{
			Name: f.Func.Name, Parameters: variableDocuments(f.Params), Sort: f.Func.Range.String(), Body: term.Format(f.Body),
		})
	}
	for _, l := range m.Lemmas {
		d.Lemmas = append(d.Lemmas, LemmaDocument{Variables: variableDocuments(l.Vars), Body: term.Format(l.Body)})
	}
}

// trimmed returns the model without the definitions that no interpretation needs, and without the lemmas that say
// nothing about those that are needed.
func (m *Model) trimmed() *Model {
	if len(m.Definitions) == 0 && len(m.Lemmas) == 0 {
		return m
	}
	index := map[*term.Func]int{}
	for i, d := range m.Definitions {
		index[d.Func] = i
	}
	needed := make([]bool, len(m.Definitions))
	var need func(t *term.Term)
	need = func(t *term.Term) {
		term.Walk(t, func(u *term.Term) bool {
			if i, ok := index[u.Func()]; ok && !needed[i] {
				needed[i] = true
				need(m.Definitions[i].Body)
			}
			return true
		})
	}
	for _, i := range m.Interpretations {
		need(i.Body)
	}
	kept := make([]bool, len(m.Lemmas))
	for changed := true; changed; {
		changed = false
		for k, l := range m.Lemmas {
			if kept[k] {
				continue
			}
			term.Walk(l.Body, func(u *term.Term) bool {
				i, ok := index[u.Func()]
				kept[k] = kept[k] || ok && needed[i]
				return !kept[k]
			})
			if kept[k] {
				changed = true
				need(l.Body) // its proof may need what is known of the other functions
			}
		}
	}
	out := &Model{Interpretations: m.Interpretations}
	for i, d := range m.Definitions {
		if needed[i] {
			out.Definitions = append(out.Definitions, d)
		}
	}
	for k, l := range m.Lemmas {
		if kept[k] {
			out.Lemmas = append(out.Lemmas, l)
		}
	}
	if len(out.Definitions) == len(m.Definitions) && len(out.Lemmas) == len(m.Lemmas) {
		return m
	}
	return out
}

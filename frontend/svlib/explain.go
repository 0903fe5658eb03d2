package svlib

import (
	"fmt"
	"strings"

	"hornbeam/chc"
	"hornbeam/frontend/trace"
)

// Explain says a run of the tree in the script's words.
func (p *Program) Explain(t *trace.Trace) *trace.Trace {
	statements := map[chc.Position]*Statement{}
	for _, q := range p.Script.reached(p.Call.Procedure) {
		q.Body.each(func(s *Statement) { statements[s.Pos] = s })
	}
	// names are the variables that only the tree has.
	names := map[string]bool{}
	for _, q := range p.Tree.Procedures {
		for _, impl := range q.Implementations {
			for _, v := range append(impl.Body.Locals, impl.In...) {
				names[v.Name] = names[v.Name] || p.variables[v] == nil
			}
		}
	}
	out := &trace.Trace{Note: t.Note}
	way := ""
	for _, s := range t.Steps {
		if s.Procedure == entryName || p.roots[s.Procedure] != nil {
			s.Procedure = "verify-call"
		}
		s.Values = visible(s.Values, names)
		from := statements[s.Pos]
		claim, isClaim := p.claims[s.Pos]
		switch {
		case s.Kind == trace.Error && isClaim:
			s.Text = fmt.Sprintf("%s %s at %s", claim.property.Attribute, claim.property.Text, tagOf(claim.statement))
		case s.Kind == trace.Call || s.Kind == trace.Return:
			s.Text = "(verify-call …)"
			if from != nil {
				s.Text = from.Text
			}
		case from == nil:
			// It checks an annotation, keeps an earlier value, or begins and ends something.
			if s.Kind != trace.Start && s.Kind != trace.Locals && s.Kind != trace.Error && s.Kind != trace.Omitted {
				continue
			}
		case strings.HasPrefix(s.Text, "goto "):
			_, way, _ = strings.Cut(s.Text, "; to ")
			if from.Operation != Choice {
				continue
			}
			for i, l := range p.ways[s.Pos] {
				if l == way {
					s.Kind, s.Text = trace.Nondet, fmt.Sprintf("(choice …): %d", i)
				}
			}
		case from.Operation == If || from.Operation == While && s.Kind != trace.Nondet:
			taken := "no"
			if strings.HasPrefix(way, "#then") || strings.HasPrefix(way, "#turn") {
				taken = "yes"
			}
			s.Kind, s.Text = trace.Branch, from.Text+": "+taken
		case s.Kind == trace.Nondet && from.Operation != Havoc:
			s.Text = "leap to " + from.Text
		case s.Kind == trace.Statement && (from.Operation == Call || from.Operation == Assign && len(s.Values) == 0):
			continue // it keeps an earlier value
		default:
			s.Text = from.Text
		}
		out.Steps = append(out.Steps, s)
	}
	return out
}

// visible are the values of the script's variables.
func visible(values []trace.Value, hidden map[string]bool) []trace.Value {
	var out []trace.Value
	for _, v := range values {
		if !hidden[v.Name] {
			out = append(out, v)
		}
	}
	return out
}

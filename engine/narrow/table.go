package narrow

import (
	"encoding/binary"

	"hornbeam/chc/term"
)

// answer is the first derivation that was found of a call, an atom whose inputs are known in full.
type answer struct {
	// args are all arguments of the atom; derivation is nil when none was found.
	args       []*value
	derivation *frame
	// open says that there may be one all the same: a variable is left for which a value would have to be made up. cut says that
	// the search for it was given up.
	open, cut bool
}

// table remembers the answers of calls, so that a function is computed once for each input.
type table struct {
	answers map[string]*answer
	values  map[*term.Term]*value
	// depth is the number of calls that are open, and left the steps that the outermost may still take.
	depth, left int
}

// answer returns the atom's answer when it is a call: all its arguments are known, or all inputs of a function.
func (m *machine) answer(pred int, args []*value) (*answer, bool) {
	results := m.results[pred]
	key := binary.LittleEndian.AppendUint32(nil, uint32(pred))
	in := make([]*value, len(args))
	for k, v := range args {
		t := m.term(v, false)
		switch {
		case t == nil && !(m.functional[pred] && results[k]):
			return nil, false
		case m.functional[pred] && results[k]:
		default:
			key = binary.LittleEndian.AppendUint32(key, t.ID())
			in[k] = m.value(t)
		}
	}
	a := m.table.answers[string(key)]
	if a == nil {
		if m.table.depth == 0 {
			m.table.left = m.stretch
			if len(m.table.answers) >= mostAnswers {
				clear(m.table.answers)
				clear(m.table.values)
			}
		}
		a = &answer{}
		// A derivation from itself is none.
		m.table.answers[string(key)] = a
		m.call(pred, in, a)
	}
	return a, true
}

// value is the value of a value term, made once.
func (m *machine) value(t *term.Term) *value {
	if v := m.table.values[t]; v != nil {
		return v
	}
	v := m.literal(t)
	if t.Op() == term.Construct {
		args := make([]*value, len(t.Args()))
		for i, a := range t.Args() {
			args[i] = m.value(a)
		}
		v = construct(t.Sort(), t.Ctor(), args)
		v.known = t
	}
	m.table.values[t] = v
	return v
}

// call looks for a derivation of an atom, of which the inputs are given.
func (m *machine) call(pred int, in []*value, a *answer) {
	if m.table.depth >= m.deepest {
		a.cut = true
		return
	}
	m.table.depth++
	defer func() { m.table.depth-- }()
	for k, i := range m.ranges[pred] {
		if v := in[k]; v != nil && v.lit != nil && v.sort == term.Int && !i.Has(v.lit.Num()) {
			return
		}
	}
	for _, c := range m.clauses[pred] {
		if m.table.left--; m.table.left < 0 || m.stop {
			a.cut = true
			return
		}
		s := &store{pool: m.pool}
		args := make([]*value, len(in))
		for k, v := range in {
			if args[k] = v; v == nil {
				args[k] = s.variable(m.source.Predicates[pred].Sorts[k])
			}
		}
		if f, ok := m.enter(s, c, args); ok && m.run(s, f, a) {
			for _, v := range args {
				a.args = append(a.args, m.value(m.term(v, true)))
			}
			a.derivation = f
			return
		}
	}
}

// run computes a frame's formulas and atoms in the order of what they need, tests first.
func (m *machine) run(s *store, f *frame, of *answer) bool {
	f.children = make([]*frame, len(f.body))
	for i := range f.formulas {
		m.complete(s, f, &f.formulas[i])
	}
	args := make([][]*value, len(f.body))
	for i, a := range f.body {
		for _, t := range a.args {
			args[i] = append(args[i], s.build(t, f.env))
		}
	}
	formulas := make([]bool, len(f.formulas))
	for {
		progress := false
		for i := range formulas {
			if formulas[i] {
				continue
			}
			k := &f.formulas[i]
			switch m.truth(f, k) {
			case 1:
				formulas[i] = true
			case -1:
				return false
			default:
				x, v, ok := m.solve(f, k)
				if !ok {
					continue
				}
				if v == nil || !s.bind(x, m.value(v)) {
					return false
				}
				formulas[i], progress = true, true
			}
		}
		next, open := -1, false
		for i, a := range f.body {
			if f.children[i] != nil {
				continue
			}
			open = true
			ready, test := true, true
			for k, v := range args[i] {
				if m.term(v, false) == nil {
					test = false
					ready = ready && m.functional[a.pred.ID] && m.results[a.pred.ID][k]
				}
			}
			if ready && (test || next < 0) {
				if next = i; test {
					break
				}
			}
		}
		if next >= 0 {
			a, _ := m.answer(f.body[next].pred.ID, args[next])
			if a.derivation == nil {
				of.open, of.cut = of.open || a.open, of.cut || a.cut
				return false
			}
			for k, v := range args[next] {
				if !s.unify(v, a.args[k]) {
					return false
				}
			}
			f.children[next] = a.derivation
			continue
		}
		if !progress {
			for _, done := range formulas {
				open = open || !done
			}
			of.open = of.open || open
			return !open
		}
	}
}

// complete makes values for the variables of a formula that have none.
func (m *machine) complete(s *store, f *frame, k *formula) {
	var vars []*term.Term
	for j, x := range k.vars {
		if f.env[x] == nil {
			if vars == nil {
				vars = term.Vars(k.term)
			}
			f.env[x] = s.variable(vars[j].Sort())
		}
	}
}

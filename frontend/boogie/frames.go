package boogie

import (
	"slices"

	"hornbeam/frontend/boogie/ast"
)

// effects are what the bodies of a procedure do to globals.
type effects struct {
	// modifies has the globals that the contract lets change.
	modifies map[*ast.Variable]bool
	// changed has those that the procedure may change, in the end with all that it calls.
	changed map[*ast.Variable]bool
	// callees has the procedures that the bodies call, in their order; called is the same as a set.
	callees []*ast.Procedure
	called  map[*ast.Procedure]bool
}

// effectsOf returns the effects of d, which it makes when they are new.
func (c *checker) effectsOf(d *ast.Procedure) *effects {
	e := c.effects[d]
	if e == nil {
		e = &effects{modifies: map[*ast.Variable]bool{}, changed: map[*ast.Variable]bool{}, called: map[*ast.Procedure]bool{}}
		c.effects[d] = e
	}
	return e
}

// modifies checks a modifies clause. Its names are those of globals, whatever the parameters are called.
func (c *checker) modifies(d *ast.Procedure) {
	e := c.effectsOf(d)
	if d.Pure && len(d.Modifies) > 0 {
		c.Errorf(d.Modifies[0].Pos, "pure procedure %s has a modifies clause", d.Name)
	}
	for _, m := range d.Modifies {
		v := c.variables[m.Name]
		switch {
		case v == nil:
			c.Errorf(m.Pos, "unknown variable %s", shorten(m.Name))
		case v.Kind != ast.Global:
			c.Errorf(m.Pos, "constant %s cannot be changed", m.Name)
		default:
			m.Decl, m.Type = v, v.Type
			e.modifies[v], e.changed[v] = true, true
		}
	}
}

// changes notes that the current body changes a global.
func (c *checker) changes(v *ast.Identifier) {
	d := c.scope.procedure
	if d == nil {
		c.Errorf(v.Pos, "global variable %s cannot be changed here", v.Name)
		return
	}
	e := c.effectsOf(d)
	if c.strict && !c.modifiable(d, v.Decl) {
		c.Errorf(v.Pos, "%s is changed, but not in the modifies clause of %s", v.Name, d.Name)
	}
	e.changed[v.Decl] = true
}

// modifiable reports whether d's modifies clause names v; the clause may not have been checked yet.
func (c *checker) modifiable(d *ast.Procedure, v *ast.Variable) bool {
	return c.effectsOf(d).modifies[v] || named(d, v.Name)
}

// named reports whether the modifies clause of d has the name.
func named(d *ast.Procedure, name string) bool {
	return slices.ContainsFunc(d.Modifies, func(m *ast.Identifier) bool { return m.Name == name })
}

// calls notes that the current body calls a procedure, or in strict checks that it may.
func (c *checker) calls(s *ast.Call) {
	d := c.scope.procedure
	if d == nil || s.Procedure == nil {
		return
	}
	e := c.effectsOf(d)
	if !e.called[s.Procedure] {
		e.called[s.Procedure] = true
		e.callees = append(e.callees, s.Procedure)
	}
	if !c.strict {
		return
	}
	for _, m := range s.Procedure.Modifies {
		if !named(d, m.Name) {
			c.Errorf(s.Pos, "%s changes %s, which is not in the modifies clause of %s", s.Procedure.Name, m.Name, d.Name)
		}
	}
}

// frames finds out which globals each procedure may change.
func (c *checker) frames() {
	p := c.program
	callers := map[*ast.Procedure][]*ast.Procedure{}
	for _, d := range p.Procedures {
		for _, q := range c.effectsOf(d).callees {
			callers[q] = append(callers[q], d)
		}
	}
	// What a callee changes, its callers change: until nothing is new.
	work := append([]*ast.Procedure(nil), p.Procedures...)
	for len(work) > 0 {
		d := work[len(work)-1]
		work = work[:len(work)-1]
		changed := c.effectsOf(d).changed
		for _, caller := range callers[d] {
			e := c.effectsOf(caller)
			before := len(e.changed)
			for v := range changed {
				e.changed[v] = true
			}
			if len(e.changed) > before {
				work = append(work, caller)
			}
		}
	}
	for _, d := range p.Procedures {
		changed := c.effectsOf(d).changed
		d.Frame = slices.DeleteFunc(slices.Clone(p.Globals), func(v *ast.Variable) bool { return !changed[v] })
	}
}

// Package instantiate replaces calls of procedures with type parameters by calls of copies without: one for each choice of
// types with which a procedure is called. Everything that works on bodies then knows the types of all values.
package instantiate

import (
	"fmt"
	"slices"
	"strings"

	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/ast"
)

// maxInstances is how many choices of types one procedure may be called with. A procedure that calls itself at ever larger
// types has infinitely many.
const maxInstances = 100

// Program returns a checked program in which procedures with type parameters are called through instances of them. The
// given one is left as it is; it is also what is returned when no procedure has type parameters.
//
// A procedure with type parameters stays in the program when no other one calls it, or when keep says so; calls of itself
// at its own parameters stay calls of itself. An instance for types that mention the type parameters of such a procedure
// has these as its own. The error wraps boogie.ErrUnsupported when there are too many instances.
//
// Instances of the procedures called errors keep their names, by which these are known.
func Program(p *ast.Program, keep func(*ast.Procedure) bool, errors []string) (*ast.Program, error) {
	if !slices.ContainsFunc(p.Procedures, func(q *ast.Procedure) bool { return len(q.TypeParams) > 0 }) {
		return p, nil
	}
	x := &instantiator{errors: errors, made: map[string]*ast.Procedure{}, count: map[*ast.Procedure]int{}, names: map[string]bool{}, called: map[*ast.Procedure]bool{}}
	for _, q := range p.Procedures {
		x.names[q.Name] = true
		for _, impl := range q.Implementations {
			for _, s := range ast.Calls(impl.Body.Stmts) {
				x.called[s.Procedure] = x.called[s.Procedure] || s.Procedure != q
			}
		}
	}
	for _, q := range p.Procedures {
		if len(q.TypeParams) == 0 || !x.called[q] || keep(q) {
			x.original(q)
		}
	}
	if err := x.run(); err != nil {
		return nil, err
	}
	// What is left is reached by no other procedure: it calls itself by others.
	for _, q := range p.Procedures {
		if x.count[q] == 0 {
			x.original(q)
			if err := x.run(); err != nil {
				return nil, err
			}
		}
	}
	return x.program(p), nil
}

// instantiator makes the copies of procedures.
type instantiator struct {
	errors []string
	// made has the copies by the procedure's name and its type arguments, work those whose bodies are still to be copied,
	// and ordered all of them.
	made    map[string]*ast.Procedure
	ordered []*instance
	work    []*instance
	// count is how many copies of a procedure there are.
	count map[*ast.Procedure]int
	names map[string]bool
	// called has the procedures that others call.
	called map[*ast.Procedure]bool
}

// instance is a copy of a procedure at types.
type instance struct {
	of, copy *ast.Procedure
	types    []ast.Type
}

// original adds the copy of a procedure at its own type parameters, which has its name.
func (x *instantiator) original(q *ast.Procedure) {
	x.add(q, ast.TypesOf(q.TypeParams), q.Name)
}

func (x *instantiator) add(q *ast.Procedure, types []ast.Type, name string) *ast.Procedure {
	c := *q
	c.Name = name
	c.TypeParams = ast.FreeVariables(types...)
	x.names[name] = true
	x.count[q]++
	x.made[key(q, types)] = &c
	i := &instance{q, &c, types}
	x.ordered, x.work = append(x.ordered, i), append(x.work, i)
	return &c
}

// key tells the copies apart. Type variables are told apart by their places.
func key(q *ast.Procedure, types []ast.Type) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%p", q)
	for _, t := range types {
		b.WriteString(" " + t.String())
		for _, v := range ast.FreeVariables(t) {
			fmt.Fprintf(&b, "@%p", v)
		}
	}
	return b.String()
}

// instance returns the copy of a procedure for a call at types.
func (x *instantiator) instance(s *ast.Call, types []ast.Type) (*ast.Procedure, error) {
	q := s.Procedure
	if c := x.made[key(q, types)]; c != nil {
		return c, nil
	}
	if x.count[q] >= maxInstances || slices.ContainsFunc(types, func(t ast.Type) bool { return len(t.String()) > 10_000 }) {
		return nil, &boogie.Error{Pos: s.Pos, Unsupported: true,
			Msg: fmt.Sprintf("calls of the procedure %s at more than %d choices of types", q.Name, maxInstances)}
	}
	name := q.Name
	for _, t := range types {
		name += "'" + identifier(t)
	}
	for x.names[name] {
		name += "'"
	}
	if slices.Contains(x.errors, q.Name) {
		name = q.Name
	}
	return x.add(q, types, name), nil
}

// identifier spells a type as part of a name.
func identifier(t ast.Type) string {
	s := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune("'~#$^_.?`", r):
			return r
		}
		return '_'
	}, t.String())
	return s[:min(len(s), 60)]
}

// run copies contracts and bodies until no further copies are asked for.
func (x *instantiator) run() error {
	for len(x.work) > 0 {
		i := x.work[0]
		x.work = x.work[1:]
		if err := x.fill(i); err != nil {
			return err
		}
	}
	return nil
}

// fill copies the contract and the bodies of a procedure.
func (x *instantiator) fill(i *instance) error {
	q, c := i.of, i.copy
	p := newCopier(x, ast.Bind(nil, q.TypeParams, i.types))
	c.Attributes = ast.RewriteAttributes(q.Attributes, p.expression)
	c.In, c.Out = p.variables(q.In), p.variables(q.Out)
	p.wheres(c.In)
	p.wheres(c.Out)
	c.Requires, c.Ensures = ast.RewriteSpecifications(q.Requires, p.expression), ast.RewriteSpecifications(q.Ensures, p.expression)
	c.Body, c.Implementations = nil, nil
	for _, impl := range q.Implementations {
		n := *impl
		n.Name, n.Procedure, n.TypeParams, n.TypeArguments = c.Name, c, c.TypeParams, ast.TypesOf(c.TypeParams)
		own := *p
		if impl.Body == q.Body {
			n.In, n.Out = c.In, c.Out
		} else {
			own = *newCopier(x, map[*ast.TypeVariable]ast.Type{})
			for k, t := range impl.TypeArguments {
				own.types[t.(*ast.TypeVariable)] = i.types[k]
			}
			n.In, n.Out = own.variables(impl.In), own.variables(impl.Out)
		}
		n.Attributes = ast.RewriteAttributes(impl.Attributes, own.expression)
		n.Body = own.body(impl.Body)
		if own.err != nil {
			return own.err
		}
		if impl.Body == q.Body {
			c.Body = n.Body
		}
		c.Implementations = append(c.Implementations, &n)
	}
	return p.err
}

// program is the program with the copies in place of the procedures.
func (x *instantiator) program(p *ast.Program) *ast.Program {
	out := *p
	out.Procedures, out.Implementations, out.Declarations = nil, nil, nil
	copies := map[*ast.Procedure][]*ast.Procedure{}
	for _, i := range x.ordered {
		copies[i.of] = append(copies[i.of], i.copy)
	}
	implementations := map[*ast.Implementation][]*ast.Implementation{}
	for _, q := range p.Procedures {
		out.Procedures = append(out.Procedures, copies[q]...)
		for _, c := range copies[q] {
			for k, impl := range q.Implementations {
				if impl.Body != q.Body {
					implementations[impl] = append(implementations[impl], c.Implementations[k])
				}
			}
		}
	}
	for _, impl := range p.Implementations {
		out.Implementations = append(out.Implementations, implementations[impl]...)
	}
	for _, d := range p.Declarations {
		switch d := d.(type) {
		case *ast.Procedure:
			if slices.Contains(p.Procedures, d) {
				for _, c := range copies[d] {
					out.Declarations = append(out.Declarations, c)
				}
				continue
			}
		case *ast.Implementation:
			if slices.Contains(p.Implementations, d) {
				for _, c := range implementations[d] {
					out.Declarations = append(out.Declarations, c)
				}
				continue
			}
		}
		out.Declarations = append(out.Declarations, d)
	}
	return &out
}

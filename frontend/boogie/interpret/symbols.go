package interpret

import (
	"slices"

	"hornbeam/frontend/boogie/ast"
)

// symbols has what is fixed in a run: constants, and functions without bodies at the arguments that they were applied to.
type symbols struct {
	*machine
	constants map[*ast.Variable]Value
	memo      map[string]Value
	// applications has what memo has, in the order of the run.
	applications []Application
	applied      map[*ast.Function]bool
	number       map[any]int
	// definitions has the functions that axioms define.
	definitions map[*ast.Function]*definition
	// depth is how many functions are being evaluated.
	depth int
}

func newSymbols(m *machine) *symbols {
	return &symbols{definitions: definitionsIn(m.program), machine: m, constants: map[*ast.Variable]Value{}, memo: map[string]Value{}, applied: map[*ast.Function]bool{}, number: map[any]int{}}
}

func (y *symbols) constant(v *ast.Variable) (Value, error) {
	if value, ok := y.constants[v]; ok {
		return value, nil
	}
	value, err := y.choices.Constant(v)
	if err != nil {
		return nil, err
	}
	y.constants[v] = value
	return value, nil
}

// open is the value of a function without a body, or of an operator that is open at the arguments.
func (y *symbols) open(f *ast.Function, op ast.BinaryOp, types []ast.Type, args []Value, result ast.Type) (Value, error) {
	var who any = op
	if f != nil {
		who = f
		y.applied[f] = true
	}
	n, ok := y.number[who]
	if !ok {
		n = len(y.number)
		y.number[who] = n
	}
	k := NewInt(int64(n)).String() + " " + result.String()
	for _, t := range types {
		k += " " + t.String()
	}
	for _, a := range args {
		ka, err := key(a)
		if err != nil {
			return nil, err
		}
		k += "," + ka
	}
	if v, ok := y.memo[k]; ok {
		return v, nil
	}
	if y.Defer && y.frozen > 0 {
		return nil, undeterminedf("the value of a function that the run does not need")
	}
	v, err := y.choices.Apply(f, op, types, args, result)
	if err != nil {
		return nil, err
	}
	y.memo[k] = v
	y.applications = append(y.applications, Application{f, op, types, args, v})
	return v, nil
}

// axioms checks what the program says of the constants and functions that the run needed, or that such an axiom
// mentions too, and those that bound how many values a type of the run has. Those about nothing but others are taken to leave
// these some values.
func (m *machine) axioms() error {
	sc := &scope{machine: m}
	types := m.types()
	done := map[*ast.Axiom]bool{}
	for _, d := range m.definitions {
		done[d.axiom] = true
	}
	for again := true; again; {
		again = false
		for _, a := range m.program.Axioms {
			if done[a] || !m.concerns(a.Cond, map[*ast.Function]bool{}) && !slices.ContainsFunc(ast.Bounds(a.Cond), func(t *ast.TypeDecl) bool { return types[t] }) {
				continue
			}
			done[a], again = true, true
			m.mention(a.Cond, map[*ast.Function]bool{})
			if err := m.assume(a.Cond, sc, a.Pos, "an axiom"); err != nil {
				return err
			}
		}
	}
	unique := map[string]*ast.Variable{}
	for _, v := range m.program.Constants {
		value, known := m.constants[v]
		if !v.Unique || !known {
			continue
		}
		k, err := key(value)
		if err != nil {
			return locate(v.Pos, err)
		}
		k = v.Type.String() + " " + k
		if w := unique[k]; w != nil {
			return &ended{Outcome{Kind: Blocked, Pos: v.Pos, What: "the unique constants " + w.Name + " and " + v.Name + " are equal"}}
		}
		unique[k] = v
	}
	return nil
}

// types are the uninterpreted types of which the run may have had values.
func (m *machine) types() map[*ast.TypeDecl]bool {
	out := map[*ast.TypeDecl]bool{}
	add := func(vs []*ast.Variable) {
		for _, v := range vs {
			for _, t := range ast.Uninterpreted(v.Type) {
				out[t] = true
			}
		}
	}
	add(m.program.Globals)
	for impl := range m.codes {
		add(slices.Concat(impl.In, impl.Out, impl.Body.Locals))
		for _, s := range ast.Calls(impl.Body.Stmts) {
			add(slices.Concat(s.Procedure.In, s.Procedure.Out))
		}
	}
	for v := range m.constants {
		add([]*ast.Variable{v})
	}
	for f := range m.applied {
		add(f.Params)
		add([]*ast.Variable{f.Result})
	}
	return out
}

// concerns reports whether an axiom mentions something that the run needed, or nothing at all.
func (m *machine) concerns(x ast.Expr, seen map[*ast.Function]bool) bool {
	any, needed := false, false
	m.visit(x, seen, func(v *ast.Variable) {
		any = true
		_, known := m.constants[v]
		needed = needed || known
	}, func(f *ast.Function) {
		any = true
		needed = needed || m.applied[f]
	})
	return needed || !any
}

// mention notes what an axiom is about.
func (m *machine) mention(x ast.Expr, seen map[*ast.Function]bool) {
	m.visit(x, seen, func(*ast.Variable) {}, func(f *ast.Function) { m.applied[f] = true })
}

// visit calls constant and function for what an expression depends on that has no definition.
func (m *machine) visit(x ast.Expr, seen map[*ast.Function]bool, constant func(*ast.Variable), function func(*ast.Function)) {
	ast.Inspect(x, func(x ast.Expr) bool {
		switch x := x.(type) {
		case *ast.Identifier:
			if x.Decl.Kind == ast.Constant {
				constant(x.Decl)
			}
		case *ast.Application:
			f := x.Function
			switch {
			case f.Builtin() != "" || seen[f] || f.Datatype != nil:
			case f.Body != nil:
				seen[f] = true
				m.visit(f.Body, seen, constant, function)
			case m.definitions[f] != nil:
				seen[f] = true
				m.visit(m.definitions[f].body, seen, constant, function)
			default:
				function(f)
			}
		}
		return true
	})
}

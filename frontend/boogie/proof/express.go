package proof

import (
	"fmt"
	"math/big"
	"slices"

	"hornbeam/chc/term"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/encode"
)

// Expressions writes formulas as conditions of a program.
type Expressions struct {
	encoding *encode.Encoding
	pool     *term.Pool
	// constants has for each uninterpreted type the constants that numbers stand for.
	constants map[string][]numbered
	// renamed has the names of variables that have another one than in the program, so that what they hide can be named.
	renamed map[*ast.Variable]string
	// operators are the functions that stand for operators, by operator and types; added are those among them that the
	// program does not declare.
	operators map[string]*ast.Function
	added     []*ast.Function
	taken     map[string]bool
	// literals are the numbers that the program's text has.
	literals map[string]bool
}

// numbered is a constant of an uninterpreted type with the number that stands for it in the clauses.
type numbered struct {
	number   term.Num
	constant *ast.Variable
}

// Dropped is a part of a claim that cannot be written in the program's language.
type Dropped struct {
	Claim *Claim
	// Formula is the part, Why says what of it cannot be written.
	Formula *term.Term
	Why     string
}

// String says what is left out where, and why.
func (d Dropped) String() string {
	return fmt.Sprintf("%s: a part of what holds there cannot be written in Boogie: %s", d.Claim.Pos, d.Why)
}

// NewExpressions returns a writer for the claims about an encoded program.
func NewExpressions(e *encode.Encoding) *Expressions {
	x := &Expressions{
		encoding: e, pool: e.System.Pool, constants: map[string][]numbered{}, renamed: map[*ast.Variable]string{},
		operators: map[string]*ast.Function{}, taken: map[string]bool{}, literals: map[string]bool{"0": true},
	}
	for _, p := range e.Program.Procedures {
		for _, impl := range p.Implementations {
			ast.WalkStatements(impl.Body.Stmts, func(ast.Stmt) bool { return true }, func(e ast.Expr) bool {
				if l, ok := e.(*ast.IntLiteral); ok {
					x.literals[l.Value.String()] = true
				}
				return true
			})
		}
	}
	for _, f := range e.Program.Functions {
		x.taken[f.Name] = true
		x.declareOperator(f)
	}
	for _, start := range e.Starts {
		for _, v := range e.Program.Constants {
			if t := start.Variables[v]; t != nil && t.IsNumeral() && uninterpreted(t.Sort(), v.Type) {
				name := v.Type.String()
				if !slices.ContainsFunc(x.constants[name], func(n numbered) bool { return n.constant == v }) {
					x.constants[name] = append(x.constants[name], numbered{t.Num(), v})
				}
			}
		}
	}
	for _, ns := range x.constants {
		slices.SortFunc(ns, func(a, b numbered) int { return a.number.Cmp(b.number) })
	}
	return x
}

// literal reports whether the program's text has a number.
func (x *Expressions) literal(n term.Num) bool { return x.literals[n.String()] }

// Functions are the declarations, beyond the program's, that the conditions need: of operators on bit-vectors.
func (x *Expressions) Functions() []*ast.Function { return x.added }

// Conditions writes a claim as conditions, of which all hold, and says which parts it had to leave out.
func (x *Expressions) Conditions(c *Claim) (conditions []ast.Expr, dropped []Dropped) {
	for _, f := range c.Parts(x.pool) {
		e, err := x.condition(c, f)
		if err != nil {
			dropped = append(dropped, Dropped{c, f, err.Error()})
			continue
		}
		conditions = append(conditions, e)
	}
	return conditions, dropped
}

// inexpressible is the panic value that ends the writing of a condition.
type inexpressible struct{ why string }

func fail(format string, args ...any) { panic(inexpressible{fmt.Sprintf(format, args...)}) }

// condition writes one formula.
func (x *Expressions) condition(c *Claim, f *term.Term) (e ast.Expr, err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case inexpressible:
			e, err = nil, fmt.Errorf("%s", p.why)
		default:
			panic(p)
		}
	}()
	ex := x.expresser(c)
	for _, n := range c.Names {
		t, a := n.Variable, n.Argument
		if a.When == encode.Now {
			ex.changing[t] = true
		}
		ex.variables[t] = ex.argument(a)
	}
	for _, v := range x.encoding.Program.Constants {
		ex.names[v.Name] = true
	}
	for _, n := range c.Names {
		ex.learn(n.Variable.Sort(), ex.variables[n.Variable].typ)
	}
	return ex.scope(f, nil), nil
}

// expresser returns a writer of one condition, to which its variables are not known yet.
func (x *Expressions) expresser(c *Claim) *expresser {
	left := longest
	return &expresser{
		Expressions: x, known: newMemo(), left: &left, claim: c, variables: map[*term.Term]*variable{}, names: map[string]bool{},
		shared: map[*term.Term]*let{}, changing: map[*term.Term]bool{}, types: map[*term.Sort]ast.Type{},
	}
}

// Meaning is what a variable of a term stands for: an expression of a type, or, where that is nil, a function, whose map the
// variable is then.
type Meaning struct {
	Type     ast.Type
	Expr     ast.Expr
	Function *ast.Function
}

// Write writes a term for a program that is being made: meanings has what its variables stand for, and types those of its sorts
// that are declared. The error says what cannot be written.
func (x *Expressions) Write(t *term.Term, meanings map[*term.Term]Meaning, types map[*term.Sort]ast.Type) (e ast.Expr, err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case inexpressible:
			e, err = nil, fmt.Errorf("%s", p.why)
		default:
			panic(p)
		}
	}()
	ex := x.expresser(nil)
	ex.types = types
	for _, v := range term.Vars(t) {
		m, ok := meanings[v]
		if !ok {
			continue
		}
		ex.variables[v] = &variable{typ: m.Type, expr: m.Expr}
		if m.Expr == nil {
			ex.variables[v].function = &encode.Argument{Function: m.Function}
		}
		ast.Inspect(m.Expr, func(e ast.Expr) bool {
			if id, ok := e.(*ast.Identifier); ok {
				ex.names[id.Name] = true
			}
			return true
		})
	}
	if t.IsBool() {
		e = ex.scope(t, nil)
	} else {
		e = ex.expression(t, ex.ofSort(t.Sort()))
	}
	ast.Inspect(e, func(e ast.Expr) bool {
		var bound []*ast.Variable
		switch e := e.(type) {
		case *ast.Quantifier:
			bound = e.Bound
		case *ast.Lambda:
			bound = e.Bound
		}
		for _, v := range bound {
			v.Syntax = ast.SyntaxOf(v.Type)
		}
		return true
	})
	return e, nil
}

// expresser writes one condition.
type expresser struct {
	*Expressions
	known *memo
	// left is how many operators may still be written.
	left      *int
	claim     *Claim
	variables map[*term.Term]*variable
	// names are those that a bound variable may not have; shared the terms that let expressions name.
	names  map[string]bool
	shared map[*term.Term]*let
	// types are those of datatypes, records and polymorphic maps, by their sorts.
	types map[*term.Sort]ast.Type
	// bound are the variables of the quantifiers around; changing those whose values are not the ones AtEntry.
	bound    map[*term.Term]bool
	changing map[*term.Term]bool
}

// variable is what a variable of a formula stands for: an expression, or a function.
type variable struct {
	typ      ast.Type
	expr     ast.Expr
	function *encode.Argument
}

// argument is what stands for an argument of a predicate.
func (x *expresser) argument(a encode.Argument) *variable {
	if a.Function != nil {
		f := a.Function
		v := &variable{function: &a, typ: f.Result.Type}
		if len(f.Params) > 0 {
			m := &ast.Map{Range: f.Result.Type}
			for _, p := range f.Params {
				m.Domain = append(m.Domain, p.Type)
			}
			v.typ = m
		} else {
			v.function, v.expr = nil, &ast.Application{Name: functionName(f), Function: f}
		}
		return v
	}
	var e ast.Expr = x.identifier(a.Variable)
	x.names[x.name(a.Variable)] = true
	if x.claim.Kind != Requires && a.When == encode.AtEntry && a.Variable.Kind == ast.Global && slices.Contains(x.claim.Procedure.Frame, a.Variable) {
		e = &ast.Old{X: e}
	}
	return &variable{typ: a.Variable.Type, expr: e}
}

func (x *Expressions) name(v *ast.Variable) string {
	if name, ok := x.renamed[v]; ok {
		return name
	}
	return v.Name
}

func (x *Expressions) identifier(v *ast.Variable) *ast.Identifier {
	return &ast.Identifier{Node: ast.Node{Type: v.Type}, Name: x.name(v), Decl: v}
}

// value is what a term is written as. A function, or a map of several indices, may still lack some of them.
type value struct {
	expr     ast.Expr
	typ      ast.Type
	function *encode.Argument
	index    []ast.Expr
	missing  int
}

// expression writes a term of which all indices are there; want is the type that its place wants, nil when that is not
// known.
func (x *expresser) expression(t *term.Term, want ast.Type) ast.Expr {
	v := x.value(t, want)
	if v.missing > 0 {
		return x.asLambda(v)
	}
	return v.expr
}

func (x *expresser) value(t *term.Term, want ast.Type) value {
	x.spend()
	if l := x.shared[t]; l != nil {
		l.used = true
		return value{expr: &ast.Identifier{Name: l.name}, typ: x.typeOf(t)}
	}
	typ := x.typeOf(t)
	if typ == nil {
		typ = want
	}
	if typ == nil {
		typ = x.ofSort(t.Sort())
	}
	if t.IsBool() {
		return value{expr: x.formula(t, false), typ: ast.Bool}
	}
	switch t.Op() {
	case term.Var:
		v := x.variables[t]
		if v == nil {
			fail("the variable %s, which stands for nothing in the program", t.Name())
		}
		if v.function != nil {
			return value{typ: v.typ, function: v.function, missing: len(v.function.Function.Params)}
		}
		return value{expr: v.expr, typ: v.typ}
	case term.Select:
		return x.read(t)
	case term.Ite:
		if q := x.byZero(t); q != nil {
			return value{expr: q, typ: typ}
		}
		return value{expr: &ast.IfThenElse{Cond: x.formula(t.Arg(0), false), Then: x.expression(t.Arg(1), typ), Else: x.expression(t.Arg(2), typ)}, typ: typ}
	case term.Store, term.ConstArray:
		return value{expr: x.mapExpression(t, typ), typ: typ}
	case term.Field:
		return x.field(t)
	case term.Construct:
		return value{expr: x.construct(t, typ), typ: typ}
	}
	switch t.Sort().Kind {
	case term.IntKind, term.RealKind:
		return value{expr: x.number(t, typ), typ: typ}
	case term.BitVecKind:
		return value{expr: x.bits(t), typ: typ}
	}
	fail("%s", what(t))
	panic("unreachable")
}

// spend counts an operator and fails when the condition has too many.
func (x *expresser) spend() {
	if *x.left--; *x.left < 0 {
		fail("it has more than %d operators", longest)
	}
}

// what names a term that cannot be written.
func what(t *term.Term) string {
	switch t.Op() {
	case term.Apply:
		return "the function " + t.Func().Name + ", which only the proof defines"
	}
	return "the operator " + t.Op().String()
}

func binary(op ast.BinaryOp, a, b ast.Expr) ast.Expr { return &ast.Binary{Op: op, X: a, Y: b} }

func not(e ast.Expr) ast.Expr { return &ast.Unary{Op: ast.Not, X: e} }

func boolean(b bool) ast.Expr { return &ast.BoolLiteral{Node: ast.Node{Type: ast.Bool}, Value: b} }

// join is several expressions with an operator between them; unit is for none.
func join(op ast.BinaryOp, unit bool, es []ast.Expr) ast.Expr {
	if len(es) == 0 {
		return boolean(unit)
	}
	e := es[0]
	for _, f := range es[1:] {
		e = binary(op, e, f)
	}
	return e
}

func integer(n *big.Int) ast.Expr {
	return &ast.IntLiteral{Node: ast.Node{Type: ast.Int}, Value: n}
}

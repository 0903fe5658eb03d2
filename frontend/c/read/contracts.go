package read

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"
	"modernc.org/token"

	"hornbeam/frontend/c/acsl"
	"hornbeam/frontend/c/contract"
	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/source"
	"hornbeam/frontend/c/tree"
)

// quantifier is a condition about all values, or about some value, of an object that has any value, while it is read.
type quantifier struct {
	// bound has the object once its type is known, by the first use.
	bound *tree.Object
	name  string
	outer *quantifier
}

// contractCall reads what SMACK's header has contracts made of.
func (r *reader) contractCall(name string, arguments []cc.ExpressionNode, pos tree.Pos) tree.Value {
	at := tree.At{Position: pos}
	if r.function == nil {
		r.Fail(pos, "a contract outside a function")
	}
	c := r.contractOf()
	condition := func() tree.Value { return r.truth(r.rvalue(arguments[0])) }
	switch name {
	case "__CONTRACT_requires":
		r.twice(func(c *contract.Contract) { c.Requires = append(c.Requires, condition()) })
		return r.nothing(pos)
	case "__CONTRACT_ensures":
		r.twice(func(c *contract.Contract) { c.Ensures = append(c.Ensures, condition()) })
		return r.nothing(pos)
	case "__CONTRACT_invariant":
		if len(r.function.loops) == 0 {
			return &tree.UnsupportedValue{At: at, T: r.types.void, What: "an invariant outside a loop"}
		}
		return r.invariant(pos, r.function.loops[len(r.function.loops)-1], condition)
	case "__CONTRACT_old":
		v := r.rvalue(arguments[0])
		o := r.automatic("", v.Type(), pos)
		c.Saved = append(c.Saved, tree.Initialise(o, v, pos))
		return tree.Read(o, pos)
	case "__CONTRACT_result":
		if tree.IsVoid(r.function.Type.Result) {
			r.Fail(pos, "the result of a function that has none")
		}
		if c.Result == nil {
			c.Result = r.automatic("", r.function.Type.Result, pos)
		}
		return tree.Read(c.Result, pos)
	case "__CONTRACT_valid":
		return r.validity(arguments, pos)
	case "__CONTRACT_variable":
		return r.boundVariable(r.quantified(arguments[0], pos), arguments, pos)
	}
	universal := name == "__CONTRACT_forall"
	q := &quantifier{name: r.text(arguments[0], pos), outer: r.quantifying}
	r.quantifying = q
	value := r.truth(r.rvalue(arguments[1]))
	r.quantifying = q.outer
	if q.bound == nil {
		return value
	}
	if r.fixed != nil && q.bound.Type == tree.Type(r.types.longLong) && !between(value, q.bound, universal) {
		r.out.Bounded = true
	}
	v := &tree.StatementValue{At: at, T: value.Type(), Result: value, Block: &tree.Block{At: at, End: pos, Statements: []tree.Statement{
		&tree.Declare{At: at, Object: q.bound},
	}}}
	r.contracts.Quantifiers[v] = universal
	return v
}

// between tells whether a quantified condition says between which others the values of its variable are.
func between(v tree.Value, o *tree.Object, universal bool) bool {
	least, most := false, false
	var guard func(v tree.Value)
	guard = func(v tree.Value) {
		switch v := v.(type) {
		case *tree.Convert:
			guard(v.X)
		case *tree.Logical:
			if !v.Or {
				guard(v.X)
				guard(v.Y)
			}
		case *tree.Binary:
			x, y := v.X, v.Y
			switch v.Op {
			case tree.Gt, tree.Ge:
				x, y = y, x
			case tree.Lt, tree.Le:
			default:
				return
			}
			l, isVariable := x.(*tree.Load)
			if isVariable && tree.Names(l, o) && !tree.Names(y, o) {
				most = true
			}
			l, isVariable = y.(*tree.Load)
			if isVariable && tree.Names(l, o) && !tree.Names(x, o) {
				least = true
			}
		}
	}
	var visit func(v tree.Value)
	visit = func(v tree.Value) {
		switch v := v.(type) {
		case *tree.Convert:
			visit(v.X)
		case *tree.StatementValue:
			visit(v.Result)
		case *tree.Logical:
			switch {
			case !v.Or && !universal:
				guard(v)
			case v.Or && universal:
				if not, ok := v.X.(*tree.Unary); ok && not.Op == tree.Not {
					guard(not.X)
				}
				visit(v.Y) // a ==> b ==> c
			}
		}
	}
	visit(v)
	return least && most
}

// quantified is the quantifier of a name.
func (r *reader) quantified(n cc.ExpressionNode, pos tree.Pos) *quantifier {
	name := r.text(n, pos)
	for q := r.quantifying; q != nil; q = q.outer {
		if q.name == name {
			return q
		}
	}
	r.Fail(pos, "no quantifier has the variable %s", name)
	return nil
}

// boundVariable is the variable of a quantifier; the second argument has its type.
func (r *reader) boundVariable(q *quantifier, arguments []cc.ExpressionNode, pos tree.Pos) tree.Value {
	end := r.unevaluatedly()
	t := r.rvalue(arguments[1]).Type()
	end()
	if _, ok := t.(*tree.Integer); !ok {
		r.Unsupported(pos, "a quantified variable of type %s", t)
	}
	if q.bound == nil {
		q.bound = r.automatic("", t, pos)
		q.bound.Name = q.name
	}
	return r.convert(tree.Read(q.bound, pos), t, pos)
}

// text is what a string literal says.
func (r *reader) text(n cc.ExpressionNode, pos tree.Pos) string {
	if a, ok := r.rvalue(n).(*tree.Address); ok {
		if u, ok := a.Place.(*tree.Use); ok && r.strings[u.Object] && len(u.Object.Init) > 0 {
			return string(u.Object.Init[0].Bytes)
		}
	}
	r.Fail(pos, "the name of a quantified variable is no string")
	return ""
}

// take takes the annotations that begin before a place of the parser.
func (r *reader) take(before token.Position) []acsl.Comment {
	first := func(all []acsl.Comment) int {
		at := tree.Pos{Line: before.Line, Column: before.Column}
		n := 0
		for n < len(all) && all[n].Begin.Compare(at) < 0 {
			n++
		}
		return n
	}
	if before.Filename == r.source.Name {
		n := first(r.annotations)
		out := r.annotations[:n]
		r.annotations = r.annotations[n:]
		return out
	}
	if r.headers == nil {
		return nil
	}
	all, known := r.headers[before.Filename]
	if !known {
		// One that is not there any more has nothing to say.
		if text, err := source.Header(before.Filename); err == nil {
			all, _ = r.reading.compiled(before.Filename, text, acsl.Comments(before.Filename, text))
		}
	}
	n := first(all)
	r.headers[before.Filename] = all[n:]
	return all[:n]
}

// takeWithin takes the annotations that begin before the end of a node.
func (r *reader) takeWithin(n cc.Node) []acsl.Comment {
	if len(r.annotations) == 0 || n == nil {
		return nil
	}
	// The last token is looked for only where something may be before it.
	if p := n.Position(); p.Filename != r.source.Name {
		return nil
	}
	var last token.Position
	for _, t := range cc.NodeTokens(n) {
		if p := t.Position(); p.Filename == r.source.Name && (p.Line > last.Line || p.Line == last.Line && p.Column > last.Column) {
			last = p
		}
	}
	return r.take(last)
}

// clauses are those of annotations.
func (r *reader) clausesOf(comments []acsl.Comment) []acsl.Clause {
	var out []acsl.Clause
	for _, c := range comments {
		for _, clause := range c.Clauses(func(name string) bool { m, ok := r.lookup(name); return ok && m.typedef != nil }) {
			clause.Pos = r.source.Place(r.source.Original(clause.Pos))
			if clause.Valid && !r.faults.Has(fault.Dereference) {
				clause.Missing = `\valid`
			}
			if clause.Missing != "" {
				r.notRead(clause, "")
				continue
			}
			out = append(out, clause)
		}
	}
	return out
}

// notRead notes that a clause is passed over.
func (r *reader) notRead(c acsl.Clause, what string) {
	words := map[acsl.Kind]string{acsl.Requires: "requires ", acsl.Ensures: "ensures ", acsl.Assigns: "assigns ", acsl.Assert: "assert ", acsl.Invariant: "loop invariant "}[c.Kind]
	r.out.PassedOver = append(r.out.PassedOver, strings.TrimSpace(c.Pos.String()+": "+words+c.Missing+" "+what))
}

// passOver notes that annotations are where none are read.
func (r *reader) passOver(comments []acsl.Comment, where string) {
	for _, c := range r.clausesOf(comments) {
		r.notRead(c, where)
	}
}

// condition reads the condition of a clause where it stands.
func (r *reader) condition(c acsl.Clause) tree.Value {
	node, err := source.ParseCondition(c.Condition, prelude+r.beforeCondition(c.Condition), r.types.model)
	if err != nil {
		message := err.Error()
		if _, after, ok := strings.Cut(message, "<condition>:"); ok {
			_, message, _ = strings.Cut(after, ": ")
		}
		r.Fail(c.Pos, "the annotation is not read: %s", message)
	}
	outer := r.fixed
	r.fixed = &c.Pos
	defer func() { r.fixed = outer }()
	return r.truth(r.rvalue(node))
}

// beforeCondition declares the types and defines the macros that a condition names.
func (r *reader) beforeCondition(condition string) string {
	var b strings.Builder
	seen := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		if seen[name] {
			return
		}
		seen[name] = true
		if m, ok := r.lookup(name); ok && m.typedef != nil {
			b.WriteString("typedef int " + name + ";\n")
			return
		}
		m := r.macros[name]
		if m == nil || m.IsFnLike {
			return
		}
		var text []string
		for _, t := range m.ReplacementList() {
			text = append(text, t.SrcStr())
		}
		replacement := strings.Join(text, " ")
		for _, inner := range acsl.Names(replacement) {
			visit(inner)
		}
		b.WriteString("#undef " + name + "\n#define " + name + " " + replacement + "\n")
	}
	for _, name := range acsl.Names(condition) {
		visit(name)
	}
	return b.String()
}

// contractOf is the contract of the function that is being read.
func (r *reader) contractOf() *contract.Contract {
	c := r.contracts.Functions[r.function.Function]
	if c == nil {
		c = &contract.Contract{}
		r.contracts.Functions[r.function.Function] = c
	}
	if r.again {
		return c.Again
	}
	return c
}

// twice reads conditions of a contract, and where the contract also stands for calls, a second time for these.
func (r *reader) twice(read func(c *contract.Contract)) {
	c := r.contractOf()
	read(c)
	if r.modular == "" {
		return
	}
	if c.Again == nil {
		c.Again = &contract.Contract{}
	}
	r.again = true
	defer func() { r.again = false }()
	read(c.Again)
}

// contractClauses reads clauses about the function that is being read.
func (r *reader) contractClauses(clauses []acsl.Clause) {
	for _, clause := range clauses {
		switch clause.Kind {
		case acsl.Requires:
			r.twice(func(c *contract.Contract) { c.Requires = append(c.Requires, r.condition(clause)) })
		case acsl.Ensures:
			r.twice(func(c *contract.Contract) { c.Ensures = append(c.Ensures, r.condition(clause)) })
		case acsl.Assigns:
			r.assigns(clause)
		default:
			r.notRead(clause, "before a function")
		}
	}
}

// assigns reads what a function may change. Where functions are not proved one by one nothing is done with it.
func (r *reader) assigns(clause acsl.Clause) {
	coarse := r.assigned(clause)
	clause.Missing = clause.Condition
	switch {
	case r.modular == "":
		r.notRead(clause, "")
	case coarse:
		r.notRead(clause, "(which parts of memory is not told apart)")
	}
}

// assigned adds to what a function may change: objects by their names, and of other places the object and all memory behind pointers,
// which coarse says.
func (r *reader) assigned(clause acsl.Clause) (coarse bool) {
	a := r.contracts.Assigns[r.function.Function]
	if a == nil {
		a = &tree.Assigns{At: tree.At{Position: clause.Pos}}
		r.contracts.Assigns[r.function.Function] = a
	}
	for _, place := range acsl.Places(clause.Condition) {
		names := acsl.Names(place)
		whole := len(names) == 1 && names[0] == place
		for _, name := range names {
			if m, ok := r.lookup(name); ok && m.object != nil && m.object.Storage == tree.Global {
				if !slices.Contains(a.Objects, m.object) {
					a.Objects = append(a.Objects, m.object)
				}
			} else {
				whole = false
			}
		}
		if !whole {
			a.Memory, coarse = true, true
		}
	}
	return coarse
}

// annotationsBefore reads the annotations before a place in a block, which come behind an item of the block. Those of a loop wait for it.
func (r *reader) annotationsBefore(previous *cc.BlockItem, before token.Position) []tree.Statement {
	for _, c := range r.pending {
		r.notRead(c, "before what is no loop")
	}
	r.pending = nil
	if len(r.annotations) == 0 || before.Filename != r.source.Name {
		return nil
	}
	if at := (tree.Pos{Line: before.Line, Column: before.Column}); r.annotations[0].Begin.Compare(at) >= 0 {
		return nil
	}
	if previous != nil {
		r.passOver(r.takeWithin(previous), "within a statement")
	}
	var out []tree.Statement
	for _, clause := range r.clausesOf(r.take(before)) {
		switch clause.Kind {
		case acsl.Assert:
			i := &contract.Invariant{Condition: r.condition(clause), Place: r.assertedAt(clause.Pos)}
			c := r.contractOf()
			c.Invariants = append(c.Invariants, i)
			out = append(out, &tree.Evaluate{At: tree.At{Position: clause.Pos}, Value: i.Place})
		case acsl.Invariant:
			r.pending = append(r.pending, clause)
		default:
			r.notRead(clause, "of a statement")
		}
	}
	return out
}

// assertedAt is where a condition is asserted.
func (r *reader) assertedAt(pos tree.Pos) *tree.Comma {
	return &tree.Comma{At: tree.At{Position: pos}, First: r.nothing(pos), Second: r.nothing(pos)}
}

// nothing is an expression without a value.
func (r *reader) nothing(pos tree.Pos) tree.Value {
	return &tree.Convert{At: tree.At{Position: pos}, T: r.types.void, X: constantOf(pos, r.types.int, 0)}
}

// loopAnnotations takes the clauses about a loop that is being read: those before it, and those before its body.
func (r *reader) loopAnnotations(n *cc.IterationStatement) []acsl.Clause {
	out := r.pending
	r.pending = nil
	if len(r.annotations) == 0 || n.Statement == nil {
		return out
	}
	// In front of a loop that is the body they are that loop's, unless they are cbmc's, which come before any body.
	loop := n.Statement.Case == cc.StatementIteration
	for _, comment := range r.take(n.Statement.Position()) {
		for _, clause := range r.clausesOf([]acsl.Comment{comment}) {
			switch {
			case clause.Kind != acsl.Invariant:
				r.notRead(clause, "of a statement")
			case loop && !comment.Machine:
				r.pending = append(r.pending, clause)
			default:
				out = append(out, clause)
			}
		}
	}
	return out
}

// invariants reads the invariants of a loop where its body begins to be read.
func (r *reader) invariants(loop tree.Statement, clauses []acsl.Clause) {
	for _, clause := range clauses {
		r.invariant(clause.Pos, loop, func() tree.Value { return r.condition(clause) })
	}
}

// invariant reads an invariant of a loop, as often as it is needed, and returns the expression that stands in its place.
func (r *reader) invariant(pos tree.Pos, loop tree.Statement, condition func() tree.Value) *tree.Comma {
	i := &contract.Invariant{Condition: condition(), Loop: loop, Place: r.assertedAt(pos)}
	if r.modular != "" {
		i.Last, i.Assumed = condition(), condition()
	}
	c := r.contractOf()
	c.Invariants = append(c.Invariants, i)
	return i.Place
}

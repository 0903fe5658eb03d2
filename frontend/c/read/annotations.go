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

// clausesOf lists the clauses of annotations that are read; the others are noted.
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

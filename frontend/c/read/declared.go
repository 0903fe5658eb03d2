package read

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"hornbeam/frontend/c/acsl"
	"hornbeam/frontend/c/contract"
	"hornbeam/frontend/c/lib"
	"hornbeam/frontend/c/tree"
	"hornbeam/frontend/report"
)

// declaredContract is a contract before a declaration of a function, for its definition in the same unit or for want of any.
type declaredContract struct {
	function *tree.Function
	clauses  []acsl.Clause
	// parameters are those of the declaration, in the scope file.
	parameters *parameters
	file       *scope
}

// declarationAnnotations takes the contract before a declaration at file scope. It counts if one function is declared that is defined
// further on, or for which the contract stands as it has no body.
func (r *reader) declarationAnnotations(n *cc.Declaration) {
	included := n.Position().Filename != r.source.Name
	var comments []acsl.Comment
	if included {
		comments = r.take(n.Position())
	} else {
		comments = r.takeWithin(n)
	}
	if len(comments) == 0 {
		return
	}
	if l := n.InitDeclaratorList; n.Case == cc.DeclarationDecl && l != nil && l.InitDeclaratorList == nil {
		d := l.InitDeclarator.Declarator
		m, ok := r.lookup(d.Name())
		if p := r.prototype[functionDeclarator(d)]; ok && p != nil && m.function != nil && m.function.Body == nil && (r.reading.bodies[d.Name()] || r.modelled(d.Name())) {
			r.declared = append(r.declared, &declaredContract{function: m.function, clauses: r.clausesOf(comments), parameters: p, file: r.scope})
			return
		}
	}
	// A header speaks of much that the program does not define.
	if !included {
		r.passOver(comments, "of a declaration")
	}
}

// functionAnnotations reads the contract before a function's body, with those before its declarations: all of them hold.
func (r *reader) functionAnnotations(n *cc.FunctionDefinition) {
	f := r.function.Function
	for _, d := range r.declared {
		if d.function == f {
			r.atDeclaration(d, func() { r.contractClauses(d.clauses) })
		}
	}
	r.declared = slices.DeleteFunc(r.declared, func(d *declaredContract) bool { return d.function == f })
	r.contractClauses(r.clausesOf(r.take(n.CompoundStatement.Token.Position())))
}

// atDeclaration reads something with the names that a declaration has for the function's parameters.
func (r *reader) atDeclaration(d *declaredContract, read func()) {
	inner := r.scope
	defer func() { r.scope = inner }()
	r.scope = &scope{outer: d.file, names: map[string]meaning{}, tags: map[string]*record{}}
	for i, p := range d.parameters.objects {
		if p.Name != "" && i < len(d.function.Params) {
			r.declare(p.Name, meaning{object: d.function.Params[i]})
		}
	}
	read()
}

// bodilessContract is what the declarations of a function without a body say of it: all of them hold, or none is used.
type bodilessContract struct {
	clauses []acsl.Clause
	// read has what identifies clauses, which units may share by a header.
	read map[string]bool
	// refused says why it does not stand for the function; empty if it does.
	refused string
}

// modelled tells whether the contract before a declaration of a function says what calls of it do: nothing else does, neither a body
// in any unit nor what is known of functions of C's library, of compilers and of verifiers.
func (r *reader) modelled(name string) bool {
	known := lib.Lookup(name, false)
	return !r.bodies[name] && r.builtins[name] == nil && known.Kind == lib.Ordinary && !lib.Defined(known.Name) && !strings.HasPrefix(name, "__")
}

// endDeclared reads the contracts before declarations whose function no unit defines, and notes those whose function another unit does.
func (r *reader) endDeclared() {
	declared := r.declared
	r.declared = nil
	for _, d := range declared {
		if r.bodies[d.function.Name] {
			r.notUsed(d.clauses, "of a declaration")
			continue
		}
		report.Recovering(func() { r.bodiless(d) })
	}
}

// notUsed notes that clauses are passed over.
func (r *reader) notUsed(clauses []acsl.Clause, why string) {
	for _, c := range clauses {
		r.notRead(c, why)
	}
}

// bodiless adds to the contract of a function without a body. Where it cannot stand for the function, nothing of it is used.
func (r *reader) bodiless(d *declaredContract) {
	f := d.function
	known := r.bodilessContracts[f]
	if known == nil {
		known = &bodilessContract{read: map[string]bool{}}
		r.bodilessContracts[f] = known
	}
	d.clauses = slices.DeleteFunc(d.clauses, func(c acsl.Clause) bool {
		key := r.clauseKey(d, c)
		again := key != "" && known.read[key]
		known.read[key] = true
		return again
	})
	known.clauses = append(known.clauses, d.clauses...)
	if known.refused == "" {
		known.refused = r.readBodiless(d)
	}
	if known.refused != "" {
		r.refuse(f, known)
	}
}

// clauseKey is the same for clauses of a header that units share, where all names mean the same in these; empty if that is not known.
func (r *reader) clauseKey(d *declaredContract, c acsl.Clause) string {
	outer := r.scope
	defer func() { r.scope = outer }()
	r.scope = d.file
	macros := r.beforeCondition(c.Condition)
	key := fmt.Sprint(c.Kind, c.Pos, c.Condition, macros)
	for _, name := range acsl.Names(c.Condition + " " + macros) {
		m, ok := r.lookup(name)
		parameter := slices.ContainsFunc(d.parameters.objects, func(p *tree.Object) bool { return p.Name == name })
		switch {
		case slices.Contains([]string{"struct", "union", "enum", "sizeof"}, name):
			return ""
		case parameter || !ok:
		case m.object != nil || m.function != nil:
			key += fmt.Sprintf(" %s %p %p", name, m.object, m.function)
		default:
			return ""
		}
	}
	return key
}

// refuse has the contract of a function without a body not stand for it.
func (r *reader) refuse(f *tree.Function, known *bodilessContract) {
	delete(r.contracts.Functions, f)
	delete(r.contracts.Assigns, f)
	f.Params, f.Locals = nil, nil
	r.notUsed(known.clauses, known.refused)
	known.clauses = nil
}

// refuseWeak does so with functions that turned out to be weak where another unit declares them.
func (r *reader) refuseWeak() {
	for _, f := range r.out.Functions {
		if known := r.bodilessContracts[f]; known != nil && known.refused == "" && f.Weak && f.Body == nil {
			known.refused = ofWeak
			r.refuse(f, known)
		}
	}
}

const ofWeak = "of a weak function, which another program may define"

// readBodiless reads what a declaration says of a function without a body, and why that cannot stand for the function, which is
// empty if it can: a call changes what its arguments reach and nothing else, so that a contract must not speak of other objects
// that are changed.
func (r *reader) readBodiless(d *declaredContract) (why string) {
	f := d.function
	switch {
	case f.Type.Variadic || f.Type.Unspecified:
		return "of a function without a prototype"
	case f.Weak || r.weakNames[f.Name]:
		return ofWeak
	}
	if len(f.Params) == 0 {
		for _, p := range d.parameters.objects {
			f.Params = append(f.Params, &tree.Object{Name: p.Name, Type: p.Type, Storage: tree.Parameter, Function: f, Pos: p.Pos})
		}
	}
	outer := r.function
	defer func() { r.function = outer }()
	r.function = &functionState{Function: f, labels: map[string]*tree.Label{}}
	r.atDeclaration(d, func() {
		for _, c := range d.clauses {
			if why == "" && c.Kind == acsl.Assigns {
				why = r.unreachable(c)
			}
		}
		// assigns, which contractClauses reads for functions with a body, says here what a call does in every mode.
		var conditions []acsl.Clause
		for _, c := range d.clauses {
			if c.Kind == acsl.Assigns {
				r.assigned(c)
			} else {
				conditions = append(conditions, c)
			}
		}
		r.contractClauses(conditions)
	})
	if why != "" {
		return why
	}
	if o := globalIn(r.contracts.Functions[f]); o != nil && r.contracts.Assigns[f] == nil {
		return "(a function without a body that ensures something of " + o.Name + ", and does not list what it assigns)"
	}
	return ""
}

// unreachable says of what a function without a body assigns why a call cannot be given that effect; empty if it can. What parameters lead
// to is what a call changes in any case, and objects of the program are given any values where no pointer is in them: a pointer by itself
// may lead to an object of its own then, but nothing says where pointers in a struct lead, or which memory is behind one.
func (r *reader) unreachable(c acsl.Clause) string {
	for _, place := range acsl.Places(c.Condition) {
		names := acsl.Names(place)
		for _, name := range names {
			m, ok := r.lookup(name)
			if !ok || m.object == nil || m.object.Storage == tree.Parameter {
				continue
			}
			o := m.object
			whole := len(names) == 1 && names[0] == place
			switch {
			case o.Const:
				return "(a function without a body that changes " + o.Name + ", which is const)"
			case o.Storage != tree.Global || o.Type.Size() <= 0 || tree.HasPointer(o.Type) && !(whole && tree.IsPointer(o.Type)):
				return "(a function without a body that changes what is in or behind " + o.Name + ")"
			}
		}
	}
	return ""
}

// globalIn is an object of the program that what a contract ensures names; nil if there is none.
func globalIn(c *contract.Contract) *tree.Object {
	if c == nil {
		return nil
	}
	var found *tree.Object
	for _, v := range c.Ensures {
		tree.Inspect(v, func(n tree.Node) bool {
			if u, ok := n.(*tree.Use); ok && u.Object.Storage != tree.Automatic && u.Object.Storage != tree.Parameter {
				found = u.Object
			}
			return found == nil
		})
	}
	return found
}

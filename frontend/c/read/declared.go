package read

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"hornbeam/frontend/c/acsl"
	"hornbeam/frontend/c/contract"
	"hornbeam/frontend/c/lib"
	"hornbeam/frontend/c/tree"
)

// declaredContract is a contract before a declaration of a function, for its definition in the same unit.
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
		if d.function != f {
			continue
		}
		// Conditions have the names that the declaration has.
		inner := r.scope
		r.scope = &scope{outer: d.file, names: map[string]meaning{}, tags: map[string]*record{}}
		for i, p := range d.parameters.objects {
			if p.Name != "" && i < len(f.Params) {
				r.declare(p.Name, meaning{object: f.Params[i]})
			}
		}
		r.contractClauses(d.clauses)
		r.scope = inner
	}
	r.declared = slices.DeleteFunc(r.declared, func(d *declaredContract) bool { return d.function == f })
	r.contractClauses(r.clausesOf(r.take(n.CompoundStatement.Token.Position())))
}

// modelled tells whether the contract before a declaration of a function says what calls of it do: nothing else does, neither a body
// in any unit nor what is known of functions of C's library, of compilers and of verifiers.
func (r *reader) modelled(name string) bool {
	if r.bodies[name] || r.builtins[name] != nil || lib.Lookup(name, false).Kind != lib.Ordinary || lib.Defined(lib.Lookup(name, false).Name) {
		return false
	}
	return !strings.HasPrefix(name, "__")
}

// endDeclared reads the contracts before declarations whose function no unit defines, and notes those whose function another unit does.
func (r *reader) endDeclared() {
	declared := r.declared
	r.declared = nil
	for _, d := range declared {
		why := "of a declaration"
		if !r.bodies[d.function.Name] {
			why = r.bodiless(d)
		}
		if why == "" {
			continue
		}
		for _, c := range d.clauses {
			r.notRead(c, why)
		}
	}
}

// bodiless reads the contract of a function without a body. Why is empty unless the contract cannot stand for the function: a call
// changes what its arguments reach and nothing else, so that a contract must not speak of other objects that are changed.
func (r *reader) bodiless(d *declaredContract) (why string) {
	f := d.function
	if f.Type.Variadic || f.Type.Unspecified {
		return "of a function without a prototype"
	}
	if f.Weak || r.weakNames[f.Name] {
		return "of a weak function, which another program may define"
	}
	outer, outerFunction := r.scope, r.function
	defer func() { r.scope, r.function = outer, outerFunction }()
	r.function = &functionState{Function: f, labels: map[string]*tree.Label{}}
	r.scope = &scope{outer: d.file, names: map[string]meaning{}, tags: map[string]*record{}}
	first := len(f.Params) == 0
	for i, p := range d.parameters.objects {
		if first {
			f.Params = append(f.Params, &tree.Object{Name: p.Name, Type: p.Type, Storage: tree.Parameter, Function: f, Pos: p.Pos})
		}
		if p.Name != "" && i < len(f.Params) {
			r.declare(p.Name, meaning{object: f.Params[i]})
		}
	}
	known, knew := r.contracts.Functions[f], r.contracts.Assigns[f]
	for _, c := range d.clauses {
		if c.Kind == acsl.Assigns {
			r.assigned(c)
		}
	}
	forget := func(what string) string {
		r.contracts.Functions[f], r.contracts.Assigns[f] = known, knew
		if known == nil {
			delete(r.contracts.Functions, f)
		}
		if knew == nil {
			delete(r.contracts.Assigns, f)
		}
		return what
	}
	if a := r.contracts.Assigns[f]; a != nil && len(a.Objects) > 0 {
		return forget("(a function without a body that changes " + a.Objects[0].Name + ")")
	}
	r.contractClauses(slices.DeleteFunc(slices.Clone(d.clauses), func(c acsl.Clause) bool { return c.Kind == acsl.Assigns }))
	if r.contracts.Assigns[f] == nil {
		if o := globalIn(r.contracts.Functions[f]); o != nil {
			return forget("(a function without a body that ensures something of " + o.Name + ", and does not list what it assigns)")
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

package translate

import (
	"cmp"
	"slices"
	"strings"

	"hornbeam/chc/ledger"
	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/lib"
	"hornbeam/frontend/c/region"
	"hornbeam/frontend/c/tree"
	"hornbeam/frontend/c/usage"
)

// NoSignedOverflow is the assumption of a proof that is only about runs in which no signed operation overflows.
func NoSignedOverflow() ledger.Entry {
	return ledger.Entry{Kind: ledger.SignedOverflow, For: ledger.SafeOnly, What: "no signed operation overflows, since C leaves undefined what happens then"}
}

// BeginsWith is the assumption, of proofs and runs, that a function other than main is where a program begins.
func BeginsWith(function string, anywhere bool) ledger.Entry {
	state := "when all objects have their initial values"
	if anywhere {
		state = "in any state of the program's objects"
	}
	return ledger.Entry{Kind: ledger.EntryPoint, What: "runs begin with " + function + ", called with any arguments " + state}
}

// assumptions lists what a proof of the program assumes: what C leaves undefined and nobody has asked for, and what only the
// rest of the program, which is not there, could tell.
func (t *translator) assumptions() {
	l := &t.result.Assumptions
	if t.options.Entry != "main" {
		l.Add(BeginsWith(t.options.Entry, t.program.Anywhere))
	}
	for _, a := range Annotations(t.program) {
		l.Add(a)
	}
	found := t.inspectOperations()
	if found.accesses && !t.options.Faults.Has(fault.Dereference) {
		l.Add(ledger.Entry{Kind: ledger.Accesses, For: ledger.SafeOnly, What: "accesses to arrays and through pointers stay within the objects that they are meant for, while these exist"})
	}
	if len(found.divisions) > 0 && !t.options.Faults.Has(fault.Division) {
		l.Add(ledger.Entry{Kind: ledger.Division, For: ledger.SafeOnly, What: "nothing is divided by zero", Names: found.divisions})
	}
	if len(found.shifts) > 0 && !t.options.Faults.Has(fault.Shift) {
		l.Add(ledger.Entry{Kind: ledger.Shift, For: ledger.SafeOnly, What: "shifts are by less than the width of their type", Names: found.shifts})
	}
	if t.options.EndAtOverflow {
		l.Add(NoSignedOverflow())
	}
	if t.numbered || found.addresses {
		l.Add(ledger.Entry{Kind: ledger.Addresses, For: ledger.SafeOnly, What: "addresses that are compared or become numbers are those that Hornbeam gives to objects"})
	}
	if t.outside() {
		l.Add(ledger.Entry{Kind: ledger.Outside, For: ledger.SafeOnly, What: "pointers from outside of the program lead to objects of their own"})
	}
	t.library()
	for _, f := range t.reached.Functions {
		if f.Weak {
			l.Add(ledger.Entry{Kind: ledger.WeakSymbols, For: ledger.SafeOnly, What: weakDefinitions, Names: []string{f.Name}})
		}
	}
	for _, o := range t.reached.Objects {
		switch {
		case o.Weak && !o.External:
			l.Add(ledger.Entry{Kind: ledger.WeakSymbols, For: ledger.SafeOnly, What: weakDefinitions, Names: []string{o.Name}})
		case o.External && !o.Invented() && !t.hidden(o) && !t.program.Library && !t.program.Anywhere && !isStream(o.Name):
			l.Add(ledger.Entry{Kind: ledger.Outside, For: ledger.SafeOnly, What: "objects that the program does not define begin with any value", Names: []string{o.Name}})
		}
	}
	t.undefined.add(undefinedMeaning, "")
	for _, kind := range t.undefined.kinds {
		if names := t.undefined.names[kind]; len(names) > 0 {
			// Those first that are called most.
			slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(t.calls(b), t.calls(a)) })
			l.Add(ledger.Entry{Kind: ledger.Undefined, For: ledger.SafeOnly, What: kind, Names: names})
		}
	}
}

// Annotations are the assumptions about what annotations of a program say.
func Annotations(p *tree.Program) []ledger.Entry {
	var out []ledger.Entry
	if len(p.PassedOver) > 0 {
		out = append(out, ledger.Entry{Kind: ledger.Contracts, What: "annotations that are not read here are neither checked nor assumed", Names: p.PassedOver})
	}
	if len(p.Trusted) > 0 {
		out = append(out, ledger.Entry{Kind: ledger.Contracts, What: "functions without a body do what their contracts say", Names: p.Trusted})
	}
	if p.Bounded {
		out = append(out, ledger.Entry{Kind: ledger.Contracts, What: "annotations compute with 64-bit integers as C does, though ACSL's have no bounds"})
	}
	return out
}

// weakDefinitions is what is assumed of reached functions and objects that are declared weak and defined.
const weakDefinitions = "weak definitions are the ones that are linked"

// calls is how many calls of a function reached functions have.
func (t *translator) calls(name string) int {
	if t.called == nil {
		t.called = map[string]int{}
		for _, f := range t.reached.Functions {
			tree.Inspect(f.Body, func(n tree.Node) bool {
				if c, ok := n.(*tree.Call); ok && c.Function != nil {
					t.called[c.Function.Name]++
				}
				return true
			})
		}
	}
	return t.called[name]
}

// isStream reports whether a name is that of a stream of the library, whose value is only handed back to it.
func isStream(name string) bool { return name == "stdin" || name == "stdout" || name == "stderr" }

// outside reports whether the program accesses what is not its own.
func (t *translator) outside() bool {
	m := t.memories
	return m != nil && m.regions != nil && slices.ContainsFunc(m.order, func(r *region.Region) bool { return r.Group.Outside })
}

// operations are the operations of reached functions that C gives no meaning for some operands.
type operations struct {
	// accesses says that there are elements of arrays or dereferences, addresses that pointers are ordered.
	accesses, addresses bool
	// divisions and shifts are the places of those whose second operand is not a constant that is right.
	divisions, shifts []string
}

func (t *translator) inspectOperations() operations {
	var found operations
	operation := func(n tree.Node, op tree.BinaryOp, of tree.Type, operand tree.Value) {
		constant, known := operand.(*tree.Constant)
		switch op {
		case tree.Div, tree.Rem:
			if !tree.IsFloat(of) && !(known && constant.Int.Sign() != 0) {
				found.divisions = appendPlace(found.divisions, n)
			}
		case tree.Shl, tree.Shr:
			if !(known && constant.Int.Sign() >= 0) {
				found.shifts = appendPlace(found.shifts, n)
			}
		case tree.Lt, tree.Le, tree.Gt, tree.Ge:
			if _, pointer := of.(*tree.Pointer); pointer {
				found.addresses = true
			}
		}
	}
	for _, f := range t.reached.Functions {
		tree.Inspect(f.Body, func(n tree.Node) bool {
			switch n := n.(type) {
			case *tree.Element, *tree.Dereference:
				found.accesses = true
			case *tree.Binary:
				if !f.Library {
					operation(n, n.Op, n.X.Type(), n.Y)
				}
			case *tree.Update:
				if !f.Library {
					operation(n, n.Op, n.Compute, n.Operand)
				}
			}
			return true
		})
	}
	return found
}

// appendPlace appends the place of a node, once.
func appendPlace(places []string, n tree.Node) []string {
	place := n.Pos().String()
	if slices.Contains(places, place) {
		return places
	}
	return append(places, place)
}

// library adds what is assumed of the functions of the library that a run may reach, and of asm statements.
func (t *translator) library() {
	add := func(kind ledger.Kind, what string, verdicts ledger.Verdicts, names ...string) {
		t.result.Assumptions.Add(ledger.Entry{Kind: kind, What: what, Names: names, For: verdicts})
	}
	function := func(f *tree.Function) {
		meaning := usage.Meaning(f, t.options.Faults)
		switch meaning.Kind {
		case lib.Allocate:
			if !strings.HasSuffix(meaning.Name, "alloca") && !t.options.MayFail {
				add(ledger.Allocation, "allocation never fails", ledger.SafeOnly, f.Name)
			}
		case lib.Input, lib.System:
			if !meaning.Threads() {
				add(ledger.Input, "functions of the library give any values that they may give", ledger.UnsafeOnly, f.Name)
			}
		}
		if meaning.Kind != lib.Ordinary && meaning.Threads() {
			add(ledger.Threads, "the program has one thread, and signals are not handled", ledger.Both, f.Name)
		}
	}
	for _, f := range t.reached.Functions {
		if f.Library {
			continue // what it calls is assumed of the function itself
		}
		tree.Inspect(f.Body, func(n tree.Node) bool {
			switch n := n.(type) {
			case *tree.Call:
				if n.Function != nil {
					function(n.Function)
				}
			case *tree.FunctionAddress:
				function(n.Function)
			case *tree.Assembly:
				add(ledger.Assembly, "asm statements give their outputs any values and change nothing else", ledger.Both)
			}
			return true
		})
	}
}

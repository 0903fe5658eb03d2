// Package evaluate runs calls whose arguments are constants, so that a proof need not find out what a run says.
package evaluate

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/interpret"
	"hornbeam/frontend/c/tree"
)

// Limits of the runs: steps of one run and of all of them, bytes of memory, and calls inside each other.
const (
	maxSteps  = 200_000
	allSteps  = 2_000_000
	maxMemory = 1 << 20
	maxDepth  = 2_000
)

// undefined are the kinds of faults that C leaves undefined: a call that has one has no value.
var undefined = fault.Of(fault.Assertion, fault.Overflow, fault.Division, fault.Shift, fault.Unreachable, fault.Dereference, fault.Free, fault.Uninitialised)

// errOpen is the answer to whatever a run leaves open.
var errOpen = errors.New("the call depends on more than its arguments")

// Calls sets Known of each call in p whose arguments are constants, and whose callee depends on nothing else and changes
// nothing else, to the integer that a run of it returns. Calls whose run is long, meets a fault or ends the program stay as
// they are. The error is that of ctx.
func Calls(ctx context.Context, p *tree.Program, o interpret.Options) error {
	e := evaluator{program: p, options: o, callees: map[*tree.Function][]*tree.Function{}, left: allSteps}
	for _, f := range p.Functions {
		if f.Body == nil {
			continue
		}
		var calls []*tree.Call
		tree.Inspect(f.Body, func(n tree.Node) bool {
			if call, ok := n.(*tree.Call); ok {
				calls = append(calls, call)
			}
			return true
		})
		for i := len(calls) - 1; i >= 0; i-- { // those among arguments come first
			if err := e.call(ctx, calls[i]); err != nil {
				return fmt.Errorf("run a call of %s: %w", calls[i].Function.Name, err)
			}
		}
	}
	return nil
}

// evaluator runs calls of one program.
type evaluator struct {
	program *tree.Program
	options interpret.Options
	// callees are what calls of functions may enter, of those that depend on their arguments only; nil for others.
	callees map[*tree.Function][]*tree.Function
	// left is how many steps there are left.
	left int64
}

// call runs a call if its value can be known.
func (e *evaluator) call(ctx context.Context, call *tree.Call) error {
	if _, ok := call.T.(*tree.Integer); !ok || e.left <= 0 || call.Function == nil || e.dependsOnArguments(call.Function) == nil {
		return nil
	}
	for _, a := range call.Arguments {
		if !constant(a) {
			return nil
		}
	}
	program, entry := e.alone(call)
	o := e.options
	o.Entry, o.Faults, o.Except = entry.Name, o.Faults.OrAssertions()|undefined, nil
	o.Steps, o.Memory, o.Depth = min(maxSteps, e.left), maxMemory, maxDepth
	run, err := interpret.New(program, o)
	if err != nil {
		return nil // what can't be run has no value
	}
	var value *big.Int
	outcome, err := run.Run(ctx, open{}, func(event interpret.Event) {
		if event.Kind == interpret.Returned && event.Function == entry && event.Value.Type != nil {
			value = event.Value.Big()
		}
	})
	if err != nil {
		return err
	}
	e.left -= outcome.Steps
	if outcome.Kind == interpret.Ended && !outcome.Addresses && value != nil {
		call.Known = &tree.Constant{At: call.At, T: call.T, Int: value}
	}
	return nil
}

// alone is a program that only makes the call, and its entry.
func (e *evaluator) alone(call *tree.Call) (*tree.Program, *tree.Function) {
	entry := &tree.Function{
		Name: "$call", Type: &tree.FunctionType{Result: call.T}, Pos: call.Pos(), End: call.Pos(),
		Body: &tree.Block{At: call.At, End: call.Pos(), Statements: []tree.Statement{&tree.Return{At: call.At, Value: call}}},
	}
	program := *e.program
	program.Globals, program.Functions, program.Copies = nil, append(slices.Clone(e.dependsOnArguments(call.Function)), entry), nil
	return &program, entry
}

// dependsOnArguments returns the functions that a call of f may enter, f first, if what f does depends on its arguments only
// and changes nothing that lives longer than the call; nil otherwise.
func (e *evaluator) dependsOnArguments(f *tree.Function) []*tree.Function {
	callees, known := e.callees[f]
	if !known {
		if callees = reachable(f); slices.ContainsFunc(callees, func(g *tree.Function) bool { return !local(g) }) {
			callees = nil
		}
		e.callees[f] = callees
	}
	return callees
}

// reachable are the functions that a call of f may enter, f first, as far as calls name them.
func reachable(f *tree.Function) []*tree.Function {
	found := []*tree.Function{f}
	seen := map[*tree.Function]bool{f: true}
	for i := 0; i < len(found); i++ {
		if found[i].Body == nil {
			continue
		}
		tree.Inspect(found[i].Body, func(n tree.Node) bool {
			if call, ok := n.(*tree.Call); ok && call.Function != nil && !seen[call.Function] {
				seen[call.Function] = true
				found = append(found, call.Function)
			}
			return true
		})
	}
	return found
}

// local reports whether a function is defined, uses no static objects, calls no functions through pointers and none of the library. A
// function that ends the program may be called, as a run that does so has no value.
func local(f *tree.Function) bool {
	if f.Body == nil {
		return f.NoReturn
	}
	if f.Weak || f.Library || f.Type.Variadic {
		return false
	}
	ok := true
	tree.Inspect(f.Body, func(n tree.Node) bool {
		switch n := n.(type) {
		case *tree.Use:
			ok = ok && !n.Object.Volatile && (n.Object.Storage == tree.Automatic || n.Object.Storage == tree.Parameter)
		case *tree.Call:
			ok = ok && n.Function != nil && n.Library == nil
		case *tree.FunctionAddress, *tree.UnsupportedValue, *tree.Assembly:
			ok = false
		}
		return ok
	})
	return ok
}

// constant reports whether an expression has no parts but constants and calls whose values are known.
func constant(v tree.Value) bool {
	ok := true
	tree.Inspect(v, func(n tree.Node) bool {
		switch n := n.(type) {
		case *tree.Constant, *tree.FloatConstant, *tree.Unary, *tree.Binary, *tree.Convert:
			return ok
		case *tree.Call:
			ok = ok && n.Known != nil
		default:
			ok = false
		}
		return false
	})
	return ok
}

// open leaves every question open.
type open struct{}

// Choose has no answer to any question.
func (open) Choose(interpret.Question) (interpret.Value, error) { return interpret.Value{}, errOpen }

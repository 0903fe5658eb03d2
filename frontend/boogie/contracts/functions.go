package contracts

import (
	"fmt"

	"hornbeam/chc/term"
	"hornbeam/frontend/boogie/encode"
)

// functions turns reads of the maps that stand for a program's functions into applications of uninterpreted
// functions, for which solvers need no theory of arrays.
type functions struct {
	pool    *term.Pool
	symbols map[*term.Term]int
	made    map[*term.Term]*term.Term
}

func newFunctions(e *encode.Encoding) *functions {
	return &functions{pool: e.System.Pool, symbols: e.Symbols, made: map[*term.Term]*term.Term{}}
}

// apply rewrites a term. Other uses of such a map stay as they are, so that the result is weaker.
func (f *functions) apply(t *term.Term) *term.Term {
	if u := f.made[t]; u != nil {
		return u
	}
	var u *term.Term
	if g, args := f.application(t); g != nil {
		for i, a := range args {
			args[i] = f.apply(a)
		}
		u = f.pool.Apply(g, args...)
	} else {
		u = f.pool.MapArgs(t, f.apply)
	}
	f.made[t] = u
	return u
}

// application is the function that a term reads all parameters of, with the arguments; nil for other terms.
func (f *functions) application(t *term.Term) (*term.Func, []*term.Term) {
	var args []*term.Term
	root := t
	for ; root.Op() == term.Select; root = root.Arg(0) {
		args = append([]*term.Term{root.Arg(1)}, args...)
	}
	if n, ok := f.symbols[root]; !ok || n == 0 || n != len(args) {
		return nil, nil
	}
	domain := make([]*term.Sort, len(args))
	for i, a := range args {
		domain[i] = a.Sort()
	}
	return f.pool.DeclareFunc(fmt.Sprintf("%s of %d", root.Name(), root.ID()), domain, t.Sort()), args
}

package witness

import (
	"strconv"
	"strings"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// reserved are the symbols that a parameter must not be called: SMT-LIB's words and the theories' own functions, which
// some readers look up before the variables in scope.
var reserved = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`_ ! as let exists forall match par BINARY DECIMAL HEXADECIMAL NUMERAL STRING
		true false not and or xor => ite = distinct + - * / <= < >= > div mod abs to_real to_int is_int divisible
		select store const is Bool Int Real Array BitVec concat extract repeat zero_extend sign_extend rotate_left
		rotate_right model define-fun sat unsat unknown`) {
		m[w] = true
	}
	return m
}()

// readable renames the parameters of an interpretation for printing: an argument keeps the name that it has in the
// source when that can be printed and nothing else, here or among the global names, has it; the others become A, B, C
// and so on.
func readable(sys *chc.System, global map[string]bool, pred *chc.Predicate, i Interpretation) Interpretation {
	taken := local(i)
	free := func(name string) bool {
		return name != "" && !taken[name] && !global[name] && !reserved[name] && !strings.HasPrefix(name, "bv") &&
			name[0] != '.' && name[0] != '@' && !strings.ContainsAny(name, "|\\")
	}
	params := make([]*term.Term, len(i.Params))
	letter := 0
	for k, x := range i.Params {
		name := ""
		if k < len(pred.ArgNames) {
			name = pred.ArgNames[k]
		}
		for !free(name) {
			name = letters(letter)
			letter++
		}
		taken[name] = true
		params[k] = sys.Pool.Var(name, x.Sort())
	}
	return Interpretation{Params: params, Body: i.Apply(sys.Pool, params)}
}

// globals are the names that are declared for the whole system: predicates, constructors and selectors.
func globals(sys *chc.System) map[string]bool {
	names := map[string]bool{}
	for _, p := range sys.Predicates {
		names[p.Name] = true
	}
	for _, s := range sys.Datatypes {
		for _, c := range s.Data.Constructors {
			names[c.Name] = true
			for _, sel := range c.Selectors {
				names[sel.Name] = true
			}
		}
	}
	return names
}

// local are the names that the body binds or applies: a parameter of that name would be confused with them.
func local(i Interpretation) map[string]bool {
	names := map[string]bool{}
	term.Walk(i.Body, func(t *term.Term) bool {
		for _, x := range t.Bound() {
			names[x.Name()] = true
		}
		if f := t.Func(); f != nil {
			names[f.Name] = true
		}
		return true
	})
	return names
}

// letters returns the n-th of A, ..., Z, A1, ..., Z1, A2, ...
func letters(n int) string {
	s := string(rune('A' + n%26))
	if n >= 26 {
		s += strconv.Itoa(n / 26)
	}
	return s
}

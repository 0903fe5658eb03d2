package term

import "slices"

// Walk visits each subterm of t once, a term before its arguments, arguments from left to right; the bodies of
// quantifiers are visited, their bound variables only where they occur. visit tells whether to go on to the arguments.
func Walk(t *Term, visit func(*Term) bool) { WalkAll([]*Term{t}, visit) }

// WalkAll is Walk for several terms: it visits each subterm of the terms once, from the first of them on.
func WalkAll(ts []*Term, visit func(*Term) bool) {
	var seen idSet
	stack := make([]*Term, 0, len(ts)+8)
	for _, t := range slices.Backward(ts) {
		stack = append(stack, t)
	}
	for len(stack) > 0 {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !seen.add(t) || !visit(t) {
			continue
		}
		for i := len(t.args) - 1; i >= 0; i-- {
			if a := t.args[i]; !seen.has(a) {
				stack = append(stack, a)
			}
		}
	}
}

// Vars returns the free variables of the terms, in order of their first occurrence.
func Vars(ts ...*Term) []*Term {
	var seen idSet
	var out, stack []*Term
	for _, t := range ts {
		stack = append(stack, t)
		for len(stack) > 0 {
			t := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if t.IsGround() || !seen.add(t) {
				continue
			}
			switch t.op {
			case Var:
				out = append(out, t)
			case Forall, Exists:
				for i := len(t.ext.q.free) - 1; i >= 0; i-- {
					stack = append(stack, t.ext.q.free[i])
				}
			default:
				for i := len(t.args) - 1; i >= 0; i-- {
					stack = append(stack, t.args[i])
				}
			}
		}
	}
	return out
}

// Contains reports whether the variable v is free in t.
func Contains(t, v *Term) bool {
	return anyVar(t, v.id, func(x *Term) bool { return x == v })
}

// HasAny reports whether a variable of the set is free in t.
func HasAny(t *Term, set map[*Term]bool) bool {
	return len(set) > 0 && anyVar(t, 0, func(x *Term) bool { return set[x] })
}

// anyVar reports whether ok holds of a free variable of t. Terms older than least cannot contain one.
func anyVar(t *Term, least uint32, ok func(*Term) bool) bool {
	if t.op == Var {
		return ok(t)
	}
	var seen idSet
	stack := []*Term{t}
	for len(stack) > 0 {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if t.id < least || t.IsGround() {
			continue
		}
		if t.op == Var {
			if ok(t) {
				return true
			}
			continue
		}
		if !seen.add(t) {
			continue
		}
		args := t.args
		if t.IsQuantifier() {
			args = t.ext.q.free
		}
		stack = append(stack, args...)
	}
	return false
}

// postorder returns the subterms of t, arguments before terms. It goes into a term only where enter allows.
func postorder(t *Term, enter func(*Term) bool) []*Term {
	var seen idSet
	type frame struct {
		t *Term
		i int
	}
	var out []*Term
	seen.add(t)
	stack := []frame{{t, 0}}
	if !enter(t) {
		return nil
	}
	for len(stack) > 0 {
		f := &stack[len(stack)-1]
		if f.i == len(f.t.args) {
			out = append(out, f.t)
			stack = stack[:len(stack)-1]
			continue
		}
		a := f.t.args[f.i]
		f.i++
		if enter(a) && seen.add(a) {
			stack = append(stack, frame{a, 0})
		}
	}
	return out
}

// IntegersOnly reports whether everything in a formula is an integer or a truth value: there are no quantifiers, and no
// terms of other sorts.
func IntegersOnly(t *Term) bool {
	return all(t, func(u *Term) bool { return !u.IsQuantifier() && (u.Sort() == Int || u.IsBool()) })
}

// BitsOnly reports whether a term has nothing but bit-vectors and truth values in it, and no functions.
func BitsOnly(t *Term) bool {
	return all(t, func(u *Term) bool { return !u.IsQuantifier() && (u.Sort().IsBitVec() || u.IsBool()) && u.op != Apply })
}

// all reports whether something is true of a term and all that are in it.
func all(t *Term, is func(*Term) bool) bool {
	holds := true
	Walk(t, func(u *Term) bool {
		holds = holds && is(u)
		return holds
	})
	return holds
}

// Multiplies reports whether a term has a product, a quotient or a remainder of terms that are no numerals.
func Multiplies(t *Term) bool {
	found := t.HasProduct()
	if found || !t.HasPartial() {
		return found
	}
	Walk(t, func(u *Term) bool {
		switch u.op {
		case IntDiv, Mod, RealDiv:
			found = found || u.args[1].op != Numeral
		}
		return !found
	})
	return found
}

// SumsOnly reports whether a term neither multiplies nor divides integers, not even by a numeral.
func SumsOnly(t *Term) bool {
	return all(t, func(u *Term) bool { return u.Factors() == nil && u.op != IntDiv && u.op != Mod })
}

// ConvertsBits reports whether a term converts between integers and bit-vectors.
func ConvertsBits(t *Term) bool {
	found := false
	Walk(t, func(u *Term) bool {
		found = found || u.op == NatToBV || u.op == BVToNat
		return !found
	})
	return found
}

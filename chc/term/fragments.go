package term

import "fmt"

// leaf prints a term without arguments.
func leaf(t *Term) string {
	switch t.op {
	case True:
		return "true"
	case False:
		return "false"
	case Var:
		return QuoteSymbol(t.ext.name)
	case Numeral, BVNumeral:
		return formatNum(t.ext.num, t.sort)
	case Element:
		return "(as " + QuoteSymbol("@"+t.sort.Name+"!"+t.ext.num.String()) + " " + t.sort.String() + ")"
	case Construct:
		return constructorName(t)
	case Apply:
		return QuoteSymbol(t.ext.fn.Name)
	}
	panic("term: no printed form of " + t.op.String())
}

// constructorName returns the constructor of t as it is printed, with its sort when its arguments do not determine that.
func constructorName(t *Term) string {
	c := t.ext.ctor
	if g := c.Data.Generic; g != nil && g.Open[c.Index] {
		return "(as " + QuoteSymbol(c.Name) + " " + t.sort.String() + ")"
	}
	return QuoteSymbol(c.Name)
}

// appendFragments appends the printed form of a term with arguments.
func appendFragments(out []fragment, t *Term) []fragment {
	switch t.op {
	case Not:
		if a := t.args[0]; a.op == Le || a.op == Lt {
			return appendComparison(out, a, true)
		} else if a.op == BVUle || a.op == BVSle {
			// not (a <= b) is b < a.
			return appendApp(out, opNames[a.op+1], a.args[1], a.args[0])
		}
	case Le, Lt:
		return appendComparison(out, t, false)
	case Eq:
		if t.args[0].sort.IsArith() {
			return appendComparison(out, t, false)
		}
	case Divides:
		return appendDivides(out, t)
	case Add:
		return appendSum(out, t)
	case Mul:
		if m := monomial(t); m.Term != t {
			return appendMonomial(out, m)
		}
	case ConstArray:
		out = append(out, fragment{text: "((as const " + t.sort.String() + ") "}, fragment{t: t.args[0]})
		return append(out, fragment{text: ")"})
	case Construct:
		return appendApp(out, constructorName(t), t.args...)
	case Field:
		return appendApp(out, QuoteSymbol(t.ext.sel.Name), t.args...)
	case Is:
		return appendApp(out, "(_ is "+QuoteSymbol(t.ext.ctor.Name)+")", t.args...)
	case Apply:
		return appendApp(out, QuoteSymbol(t.ext.fn.Name), t.args...)
	case Forall, Exists:
		s := "(" + opNames[t.op] + " ("
		for i, v := range t.ext.q.bound {
			if i > 0 {
				s += " "
			}
			s += "(" + QuoteSymbol(v.ext.name) + " " + v.sort.String() + ")"
		}
		return append(out, fragment{text: s + ") "}, fragment{t: t.args[0], q: t}, fragment{text: ")"})
	case BVExtract:
		return appendApp(out, fmt.Sprintf("(_ extract %d %d)", t.ext.hi, t.ext.lo), t.args...)
	case BVZeroExtend, BVSignExtend, BVRotateLeft, BVRotateRight, BVRepeat:
		return appendApp(out, fmt.Sprintf("(_ %s %d)", opNames[t.op], t.ext.hi), t.args...)
	case NatToBV:
		return appendApp(out, fmt.Sprintf("(_ int2bv %d)", t.sort.Width), t.args...)
	}
	return appendApp(out, opNames[t.op], t.args...)
}

func appendApp(out []fragment, f string, args ...*Term) []fragment {
	out = append(out, fragment{text: "("}, fragment{text: f})
	for _, a := range args {
		out = append(out, fragment{text: " "}, fragment{t: a})
	}
	return append(out, fragment{text: ")"})
}

func appendMonomial(out []fragment, m Monomial) []fragment {
	if m.Coef.IsOne() {
		return append(out, fragment{t: m.Term})
	}
	return append(out, fragment{text: "(* "}, fragment{text: formatNum(m.Coef, m.Term.sort)}, fragment{text: " "}, fragment{t: m.Term},
		fragment{text: ")"})
}

func appendSum(out []fragment, t *Term) []fragment {
	out = append(out, fragment{text: "(+"})
	for _, a := range t.args {
		out = append(out, fragment{text: " "})
		if a.op == Numeral {
			out = append(out, fragment{t: a})
		} else {
			out = appendMonomial(out, monomial(a))
		}
	}
	return append(out, fragment{text: ")"})
}

// appendDivides prints "k divides s + c" as (= (mod s k) r) with r = -c mod k.
func appendDivides(out []fragment, t *Term) []fragment {
	k, s := t.args[0].ext.num, t.args[1]
	var r Num
	if s.op == Add && s.args[len(s.args)-1].op == Numeral {
		l := t.pool.Linear(s)
		_, r = EuclidDiv(l.Const.Neg(), k)
		s = t.pool.fromLinear(l.Monomials, Num{}, Int)
	}
	return append(out, fragment{text: "(= (mod "}, fragment{t: s}, fragment{text: " " + k.String() + ") " + r.String() + ")"})
}

// appendComparison prints Le, Lt or an arithmetic Eq, or the negation of one of the first two, with the negative
// summands of a short sum on the right.
func appendComparison(out []fragment, t *Term, negated bool) []fragment {
	s, c := t.args[0], t.args[1].ext.num
	var op string
	switch {
	case t.op == Eq:
		op = "="
	case t.op == Le && !negated:
		op = "<="
	case t.op == Lt && !negated:
		op = "<"
	case t.op == Le && s.sort == Real:
		op = ">"
	case t.op == Le:
		op, c = ">=", c.Add(Num{n: 1})
	default:
		op = ">="
	}
	if s.op != Add || len(s.args) > inlineSum {
		out = append(out, fragment{text: "(" + op + " "}, fragment{t: s})
		return append(out, fragment{text: " "}, fragment{text: formatNum(c, s.sort)}, fragment{text: ")"})
	}
	var left, right []Monomial
	for _, a := range s.args {
		if m := monomial(a); m.Coef.Sign() > 0 {
			left = append(left, m)
		} else {
			right = append(right, Monomial{m.Coef.Neg(), m.Term})
		}
	}
	if len(right) > 0 && s.sort == Int {
		// x <= y - 1 reads better as x < y, and x >= y + 1 as x > y.
		if minus := (Num{n: -1}); op == "<=" && c.Equal(minus) {
			op, c = "<", Num{}
		} else if op == ">=" && c.IsOne() {
			op, c = ">", Num{}
		}
	}
	var lc, rc Num
	if len(right) > 0 && c.Sign() < 0 {
		lc = c.Neg()
	} else {
		rc = c
	}
	out = append(out, fragment{text: "(" + op + " "})
	out = appendSide(out, left, lc, s.sort)
	out = append(out, fragment{text: " "})
	out = appendSide(out, right, rc, s.sort)
	return append(out, fragment{text: ")"})
}

// appendSide prints a sum of monomials and a constant.
func appendSide(out []fragment, ms []Monomial, c Num, s *Sort) []fragment {
	switch {
	case len(ms) == 0:
		return append(out, fragment{text: formatNum(c, s)})
	case len(ms) == 1 && c.IsZero():
		return appendMonomial(out, ms[0])
	}
	out = append(out, fragment{text: "(+"})
	for _, m := range ms {
		out = append(out, fragment{text: " "})
		out = appendMonomial(out, m)
	}
	if !c.IsZero() {
		out = append(out, fragment{text: " " + formatNum(c, s)})
	}
	return append(out, fragment{text: ")"})
}

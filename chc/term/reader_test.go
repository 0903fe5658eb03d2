package term

import (
	"math/big"
	"strconv"
	"strings"
)

// A small SMT-LIB term reader, for reading back what is printed.

type sexpr struct {
	atom string
	list []sexpr
}

func parseSexpr(s string) (sexpr, string) {
	s = strings.TrimLeft(s, " \n")
	if s[0] == '(' {
		out := sexpr{list: []sexpr{}}
		s = s[1:]
		for {
			s = strings.TrimLeft(s, " \n")
			if s[0] == ')' {
				return out, s[1:]
			}
			var x sexpr
			x, s = parseSexpr(s)
			out.list = append(out.list, x)
		}
	}
	if s[0] == '|' {
		end := strings.IndexByte(s[1:], '|') + 2
		return sexpr{atom: s[1 : end-1]}, s[end:]
	}
	end := strings.IndexAny(s, " ()\n")
	if end < 0 {
		end = len(s)
	}
	return sexpr{atom: s[:end]}, s[end:]
}

func (w *world) read(s string) *Term {
	x, rest := parseSexpr(s)
	if strings.TrimSpace(rest) != "" {
		panic("text after the term: " + rest)
	}
	return w.build(x, map[string]*Term{})
}

func (w *world) readSort(x sexpr) *Sort {
	switch {
	case x.list == nil:
		return map[string]*Sort{"Bool": Bool, "Int": Int, "Real": Real, "list": w.list, "color": w.color, "U": w.elem}[x.atom]
	case x.list[0].atom == "Array":
		return w.p.Array(w.readSort(x.list[1]), w.readSort(x.list[2]))
	}
	n, _ := strconv.Atoi(x.list[2].atom)
	return w.p.BitVec(n)
}

func (w *world) build(x sexpr, names map[string]*Term) *Term {
	p := w.p
	if x.list == nil {
		return w.buildAtom(x.atom, names)
	}
	head := x.list[0]
	if head.atom == "let" {
		inner := map[string]*Term{}
		for k, v := range names {
			inner[k] = v
		}
		for _, b := range x.list[1].list {
			inner[b.list[0].atom] = w.build(b.list[1], names)
		}
		return w.build(x.list[2], inner)
	}
	if head.atom == "as" {
		i, _ := strconv.Atoi(x.list[1].atom[strings.IndexByte(x.list[1].atom, '!')+1:])
		return p.Element(w.readSort(x.list[2]), i)
	}
	if head.atom == "forall" || head.atom == "exists" {
		inner := map[string]*Term{}
		for k, v := range names {
			inner[k] = v
		}
		var vars []*Term
		for _, b := range x.list[1].list {
			v := p.Var(b.list[0].atom, w.readSort(b.list[1]))
			inner[b.list[0].atom] = v
			vars = append(vars, v)
		}
		if head.atom == "forall" {
			return p.Forall(vars, w.build(x.list[2], inner))
		}
		return p.Exists(vars, w.build(x.list[2], inner))
	}
	var a []*Term
	for _, y := range x.list[1:] {
		a = append(a, w.build(y, names))
	}
	if head.list != nil {
		return w.buildIndexed(head, a)
	}
	switch head.atom {
	case "not":
		return p.Not(a[0])
	case "and":
		return p.And(a...)
	case "or":
		return p.Or(a...)
	case "ite":
		return p.Ite(a[0], a[1], a[2])
	case "=":
		return p.Eq(a[0], a[1])
	case "<=":
		return p.Le(a[0], a[1])
	case "<":
		return p.Lt(a[0], a[1])
	case ">=":
		return p.Ge(a[0], a[1])
	case ">":
		return p.Gt(a[0], a[1])
	case "+":
		return p.Add(a...)
	case "-":
		if len(a) == 1 {
			return p.Neg(a[0])
		}
		return p.Sub(a[0], a[1])
	case "*":
		t := a[0]
		for _, b := range a[1:] {
			t = p.Mul(t, b)
		}
		return t
	case "/":
		return p.Div(a[0], a[1])
	case "div":
		return p.IntDiv(a[0], a[1])
	case "mod":
		return p.Mod(a[0], a[1])
	case "abs":
		return p.Abs(a[0])
	case "to_real":
		return p.ToReal(a[0])
	case "to_int":
		return p.ToInt(a[0])
	case "is_int":
		return p.IsInt(a[0])
	case "select":
		return p.Select(a[0], a[1])
	case "store":
		return p.Store(a[0], a[1], a[2])
	case "cons":
		return p.Construct(w.list.Data.Constructors[0], a...)
	case "head":
		return p.Field(w.list.Data.Constructors[0].Selectors[0], a[0])
	case "tail":
		return p.Field(w.list.Data.Constructors[0].Selectors[1], a[0])
	case "f":
		return p.Apply(w.f, a...)
	case "bv2nat":
		return p.BVToNat(a[0])
	}
	for o := BVNot; o <= BVConcat; o++ {
		if o.String() == head.atom {
			return p.BV(o, a...)
		}
	}
	panic("unknown operator " + head.atom)
}

func (w *world) buildAtom(s string, names map[string]*Term) *Term {
	p := w.p
	if t := names[s]; t != nil {
		return t
	}
	switch {
	case s == "true":
		return p.True()
	case s == "false":
		return p.False()
	case strings.HasPrefix(s, "#"):
		base, n := 2, len(s)-2
		if s[1] == 'x' {
			base, n = 16, 4*n
		}
		b, _ := new(big.Int).SetString(s[2:], base)
		return p.BVNum(NumFromBig(b), n)
	case '0' <= s[0] && s[0] <= '9':
		n, err := ParseNum(s)
		if err != nil {
			panic(err)
		}
		if strings.Contains(s, ".") {
			return p.Real(n)
		}
		return p.IntNum(n)
	}
	for _, d := range w.datatypes() {
		for _, c := range d.Data.Constructors {
			if c.Name == s {
				return p.Construct(c)
			}
		}
	}
	for _, v := range w.allVars {
		if v.Name() == s {
			return v
		}
	}
	panic("unknown symbol " + s)
}

func (w *world) buildIndexed(head sexpr, a []*Term) *Term {
	p := w.p
	if head.list[0].atom == "as" { // (as const sort)
		return p.ConstArray(w.readSort(head.list[2]), a[0])
	}
	name := head.list[1].atom
	num := func(i int) int {
		n, _ := strconv.Atoi(head.list[i].atom)
		return n
	}
	switch name {
	case "is":
		for _, c := range w.list.Data.Constructors {
			if c.Name == head.list[2].atom {
				return p.Is(c, a[0])
			}
		}
	case "extract":
		return p.Extract(num(2), num(3), a[0])
	case "zero_extend":
		return p.ZeroExtend(num(2), a[0])
	case "sign_extend":
		return p.SignExtend(num(2), a[0])
	case "rotate_left":
		return p.RotateLeft(num(2), a[0])
	case "rotate_right":
		return p.RotateRight(num(2), a[0])
	case "repeat":
		return p.Repeat(num(2), a[0])
	case "int2bv":
		return p.NatToBV(num(2), a[0])
	}
	panic("unknown indexed operator " + name)
}

func (w *world) datatypes() []*Sort {
	if w.list == nil {
		return nil
	}
	return []*Sort{w.list, w.color}
}

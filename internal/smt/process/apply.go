package process

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hornbeam/chc/term"
)

// apply reads an application of a theory's operator, a constructor, a selector or a tester.
func (r *valueReader) apply(want *term.Sort, e *sexpr, b *bindings) (*term.Term, error) {
	head, args := e.list[0], e.list[1:]
	var index []int
	switch {
	case head.isList("as", 3):
		head = head.list[1]
	case head.isList("_", 3) && head.list[1].atom == "is":
		return r.tester(head.list[2], args, b)
	case head.isList("_", 3):
		for _, x := range head.list[2:] {
			n, err := number(x.atom)
			if err != nil {
				return nil, fmt.Errorf("unsupported: %v", e)
			}
			index = append(index, n)
		}
		head = head.list[1]
	}
	if head.list != nil || len(args) == 0 {
		return nil, fmt.Errorf("unsupported: %v", e)
	}
	if c := r.constructors[head.atom]; c != nil {
		return r.construct(c, e, args, b)
	}
	if sel := r.selectors[head.atom]; sel != nil && len(args) == 1 {
		t, err := r.term(sel.Ctor.Data.Sort, args[0], b)
		if err != nil {
			return nil, err
		}
		return r.p.Field(sel, t), nil
	}
	if name, ok := strings.CutPrefix(head.atom, "is-"); ok && r.constructors[name] != nil {
		return r.tester(&sexpr{atom: name}, args, b)
	}
	var hint *term.Sort
	switch head.atom {
	case "and", "or", "not", "=>", "xor":
		hint = term.Bool
	case "ite":
		if len(args) != 3 {
			return nil, fmt.Errorf("unsupported: %v", e)
		}
		c, err := r.term(term.Bool, args[0], b)
		if err != nil {
			return nil, err
		}
		ts, err := r.alike(want, args[1:], b)
		if err != nil {
			return nil, err
		}
		return r.p.Ite(c, ts[0], ts[1]), nil
	case "select":
		return r.selected(e, args, b)
	case "/":
		hint = term.Real
	case "+", "-", "*":
		hint = want
	}
	var ts []*term.Term
	var err error
	if head.atom == "concat" {
		ts = make([]*term.Term, len(args))
		for i, a := range args {
			if ts[i], err = r.term(nil, a, b); err != nil {
				return nil, err
			}
		}
	} else if ts, err = r.alike(hint, args, b); err != nil {
		return nil, err
	}
	t := r.operation(head.atom, index, ts)
	if t == nil {
		return nil, fmt.Errorf("unsupported: %v", e)
	}
	return t, nil
}

// alike reads terms of one sort: srt or, when that is nil, the sort that one of them shows.
func (r *valueReader) alike(srt *term.Sort, es []*sexpr, b *bindings) ([]*term.Term, error) {
	if srt == nil {
		var failure error
		for _, e := range es {
			t, err := r.term(nil, e, b)
			if err != nil {
				failure = err
			} else if srt == nil || t.Sort() == term.Real {
				srt = t.Sort()
			}
		}
		if srt == nil {
			return nil, failure
		}
	}
	ts := make([]*term.Term, len(es))
	for i, e := range es {
		var err error
		if ts[i], err = r.term(srt, e, b); err != nil {
			return nil, err
		}
	}
	return ts, nil
}

// construct reads the arguments of a constructor.
func (r *valueReader) construct(c *term.Constructor, e *sexpr, args []*sexpr, b *bindings) (*term.Term, error) {
	if len(args) != len(c.Selectors) {
		return nil, fmt.Errorf("%s takes %d arguments: %v", c.Name, len(c.Selectors), e)
	}
	ts := make([]*term.Term, len(args))
	for i, sel := range c.Selectors {
		var err error
		if ts[i], err = r.term(sel.Sort, args[i], b); err != nil {
			return nil, err
		}
	}
	return r.p.Construct(c, ts...), nil
}

// tester reads ((_ is C) t), where z3 may write C with its signature.
func (r *valueReader) tester(name *sexpr, args []*sexpr, b *bindings) (*term.Term, error) {
	if len(name.list) > 0 {
		name = name.list[0]
	}
	c := r.constructors[name.atom]
	if c == nil || len(args) != 1 {
		return nil, fmt.Errorf("unsupported: the tester of %v", name)
	}
	t, err := r.term(c.Data.Sort, args[0], b)
	if err != nil {
		return nil, err
	}
	return r.p.Is(c, t), nil
}

func (r *valueReader) selected(e *sexpr, args []*sexpr, b *bindings) (*term.Term, error) {
	if len(args) != 2 {
		return nil, fmt.Errorf("unsupported: %v", e)
	}
	a, err := r.term(nil, args[0], b)
	if err != nil {
		return nil, err
	}
	if !a.Sort().IsArray() {
		return nil, fmt.Errorf("%v is no array", args[0])
	}
	i, err := r.term(a.Sort().Index, args[1], b)
	if err != nil {
		return nil, err
	}
	return r.p.Select(a, i), nil
}

// operation applies a theory's operator to terms, which but for concat are of one sort; nil when it is not known or does
// not take them.
func (r *valueReader) operation(name string, index []int, ts []*term.Term) *term.Term {
	p, srt := r.p, ts[0].Sort()
	switch {
	case len(index) > 0:
		if len(ts) == 1 {
			return r.indexed(name, index, ts[0])
		}
		return nil
	case srt == term.Bool:
		switch name {
		case "and":
			return p.And(ts...)
		case "or":
			return p.Or(ts...)
		case "not":
			if len(ts) == 1 {
				return p.Not(ts[0])
			}
		case "=>":
			last := len(ts) - 1
			return p.Implies(p.And(ts[:last]...), ts[last])
		case "xor":
			return fold(ts, p.Xor)
		}
	case srt.IsArith():
		if t := r.arithmetic(name, ts); t != nil {
			return t
		}
	case srt.Kind == term.BitVecKind:
		if t := r.bitVector(name, ts); t != nil {
			return t
		}
	}
	switch name {
	case "=":
		return r.chain(ts, p.Eq)
	case "distinct":
		return p.Distinct(ts...)
	}
	return nil
}

func (r *valueReader) arithmetic(name string, ts []*term.Term) *term.Term {
	p, srt := r.p, ts[0].Sort()
	integers := srt == term.Int
	switch name {
	case "+":
		return p.Add(ts...)
	case "-":
		if len(ts) == 1 {
			return p.Neg(ts[0])
		}
		return fold(ts, p.Sub)
	case "*":
		return fold(ts, p.Mul)
	case "<=":
		return r.chain(ts, p.Le)
	case "<":
		return r.chain(ts, p.Lt)
	case ">=":
		return r.chain(ts, p.Ge)
	case ">":
		return r.chain(ts, p.Gt)
	}
	switch {
	case name == "/" && !integers:
		return fold(ts, p.Div)
	case name == "div" && integers:
		return fold(ts, p.IntDiv)
	case name == "mod" && integers && len(ts) == 2:
		return p.Mod(ts[0], ts[1])
	case len(ts) != 1:
	case name == "abs" && integers:
		return p.Abs(ts[0])
	case name == "to_real":
		if integers {
			return p.ToReal(ts[0])
		}
		return ts[0]
	case name == "to_int" && !integers:
		return p.ToInt(ts[0])
	case name == "is_int" && !integers:
		return p.IsInt(ts[0])
	}
	return nil
}

// bitOperators are the operators on bit-vectors without indices, by name.
var bitOperators = func() map[string]term.Op {
	m := map[string]term.Op{}
	for op := term.BVNot; op <= term.BVConcat; op++ {
		m[op.String()] = op
	}
	return m
}()

func (r *valueReader) bitVector(name string, ts []*term.Term) *term.Term {
	op, ok := bitOperators[name]
	switch {
	case !ok && name == "bv2nat" && len(ts) == 1:
		return r.p.BVToNat(ts[0])
	case !ok:
		return nil
	case op == term.BVNot || op == term.BVNeg:
		if len(ts) != 1 {
			return nil
		}
	case len(ts) == 2:
	case len(ts) < 2 || !slices.Contains(associative, op):
		return nil
	}
	for _, t := range ts {
		if !t.Sort().IsBitVec() {
			return nil
		}
	}
	return r.p.BV(op, ts...)
}

// associative are the operators on bit-vectors that take more than two.
var associative = []term.Op{term.BVAnd, term.BVOr, term.BVXor, term.BVXnor, term.BVAdd, term.BVMul, term.BVConcat}

// indexed applies an operator with indices.
func (r *valueReader) indexed(name string, index []int, t *term.Term) *term.Term {
	p, width := r.p, t.Sort().Width
	switch {
	case t.Sort() == term.Int && name == "divisible" && len(index) == 1 && index[0] > 0:
		return p.Divides(term.NewInt(int64(index[0])), t)
	case t.Sort() == term.Int && name == "int2bv" && len(index) == 1 && index[0] > 0:
		return p.NatToBV(index[0], t)
	case !t.Sort().IsBitVec():
	case name == "extract" && len(index) == 2 && index[1] <= index[0] && index[0] < width:
		return p.Extract(index[0], index[1], t)
	case len(index) != 1:
	case name == "zero_extend":
		return p.ZeroExtend(index[0], t)
	case name == "sign_extend":
		return p.SignExtend(index[0], t)
	case name == "rotate_left":
		return p.RotateLeft(index[0], t)
	case name == "rotate_right":
		return p.RotateRight(index[0], t)
	case name == "repeat" && index[0] > 0:
		return p.Repeat(index[0], t)
	}
	return nil
}

// fold applies a left-associative operator; nil when there are fewer than two terms.
func fold(ts []*term.Term, op func(a, b *term.Term) *term.Term) *term.Term {
	if len(ts) < 2 {
		return nil
	}
	t := ts[0]
	for _, u := range ts[1:] {
		t = op(t, u)
	}
	return t
}

// chain applies a relation to each two neighbours.
func (r *valueReader) chain(ts []*term.Term, relation func(a, b *term.Term) *term.Term) *term.Term {
	var out []*term.Term
	for i := 1; i < len(ts); i++ {
		out = append(out, relation(ts[i-1], ts[i]))
	}
	return r.p.And(out...)
}

// number reads an index.
func number(text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 30)
	return int(n), err
}

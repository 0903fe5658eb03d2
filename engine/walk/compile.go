package walk

import (
	"fmt"

	"hornbeam/chc/term"
)

// kind tells operations apart.
type kind uint8

const (
	variable kind = iota
	constant
	not
	and
	or
	iff
	ite
	sum     // of args times coefs, and number
	equal   // whether the argument is number
	atMost  // whether the argument is at most number
	product // of two
	quotient
	remainder
	absolute
	divides // whether number divides the argument
)

// operation is one node of a formula. Its arguments come before it.
type operation struct {
	kind   kind
	args   []int32
	coefs  []int64
	number int64
	truth  bool
}

// code is formulas over variables, of which the first ones are operations, too.
type code struct {
	ops  []operation
	vars []*term.Term
	root int32
	// place has the operation of each term.
	place map[*term.Term]int32
	pool  *term.Pool
}

// compile makes the code of a formula over variables.
func compile(pool *term.Pool, vars []*term.Term, formula *term.Term) (*code, error) {
	c := &code{pool: pool, vars: vars, place: map[*term.Term]int32{}}
	for _, x := range vars {
		if x.Sort() != term.Bool && x.Sort() != term.Int {
			return nil, fmt.Errorf("walk: a variable has the sort %v", x.Sort())
		}
		c.place[x] = c.add(operation{kind: variable, truth: x.Sort() == term.Bool})
	}
	var err error
	c.root, err = c.term(formula)
	return c, err
}

func (c *code) add(o operation) int32 {
	c.ops = append(c.ops, o)
	return int32(len(c.ops) - 1)
}

func number(n term.Num) (int64, error) {
	k, ok := n.Int64()
	if !ok || k > largest || k < -largest {
		return 0, fmt.Errorf("walk: the number %v is too large", n)
	}
	return k, nil
}

// term adds the operations of a term and returns the last one.
func (c *code) term(t *term.Term) (int32, error) {
	if i, ok := c.place[t]; ok {
		return i, nil
	}
	if len(c.ops) > mostOperations {
		return 0, fmt.Errorf("walk: a clause is too large")
	}
	o, err := c.operation(t)
	if err != nil {
		return 0, err
	}
	i := c.add(o)
	c.place[t] = i
	return i, nil
}

func (c *code) operation(t *term.Term) (operation, error) {
	switch t.Op() {
	case term.True, term.False:
		n := int64(0)
		if t.IsTrue() {
			n = 1
		}
		return operation{kind: constant, number: n, truth: true}, nil
	case term.Numeral:
		n, err := number(t.Num())
		return operation{kind: constant, number: n}, err
	case term.Not:
		return c.over(operation{kind: not, truth: true}, t.Args()...)
	case term.And:
		return c.over(operation{kind: and, truth: true}, t.Args()...)
	case term.Or:
		return c.over(operation{kind: or, truth: true}, t.Args()...)
	case term.Ite:
		return c.over(operation{kind: ite, truth: t.Sort() == term.Bool}, t.Args()...)
	case term.Eq:
		if t.Arg(0).Sort() == term.Bool {
			return c.over(operation{kind: iff, truth: true}, t.Args()...)
		}
		return c.comparison(equal, t)
	case term.Le:
		return c.comparison(atMost, t)
	case term.Divides:
		n, err := number(t.Num())
		if err != nil {
			return operation{}, err
		}
		return c.over(operation{kind: divides, truth: true, number: n}, t.Arg(1))
	case term.IntDiv:
		return c.over(operation{kind: quotient}, t.Args()...)
	case term.Mod:
		return c.over(operation{kind: remainder}, t.Args()...)
	case term.Abs:
		return c.over(operation{kind: absolute}, t.Args()...)
	case term.Mul:
		if !t.Arg(0).IsNumeral() {
			if len(t.Args()) == 2 {
				return c.over(operation{kind: product}, t.Args()...)
			}
			break
		}
		return c.sum(t)
	case term.Add:
		return c.sum(t)
	}
	return operation{}, fmt.Errorf("walk: %v is not supported", t.Op())
}

func (c *code) over(o operation, args ...*term.Term) (operation, error) {
	for _, a := range args {
		i, err := c.term(a)
		if err != nil {
			return operation{}, err
		}
		o.args = append(o.args, i)
	}
	return o, nil
}

func (c *code) comparison(k kind, t *term.Term) (operation, error) {
	if t.Arg(0).Sort() != term.Int {
		return operation{}, fmt.Errorf("walk: the sort %v is not supported", t.Arg(0).Sort())
	}
	n, err := number(t.Arg(1).Num())
	if err != nil {
		return operation{}, err
	}
	return c.over(operation{kind: k, truth: true, number: n}, t.Arg(0))
}

func (c *code) sum(t *term.Term) (operation, error) {
	l := c.pool.Linear(t)
	o := operation{kind: sum}
	var err error
	if o.number, err = number(l.Const); err != nil {
		return o, err
	}
	for _, m := range l.Monomials {
		n, err := number(m.Coef)
		if err != nil {
			return o, err
		}
		i, err := c.term(m.Term)
		if err != nil {
			return o, err
		}
		o.args, o.coefs = append(o.args, i), append(o.coefs, n)
	}
	return o, nil
}

package read

import (
	"math/big"
	"sort"

	"modernc.org/cc/v4"

	"hornbeam/frontend/c/tree"
)

// openSwitch is a switch whose body is being read.
type openSwitch struct {
	*tree.Switch
	tag *tree.Integer
	// taken are the cases so far, ordered by their values, which do not overlap.
	taken []*tree.Case
}

// switchStatement reads a switch.
func (r *reader) switchStatement(n *cc.SelectionStatement) tree.Statement {
	r.push()
	defer r.pop()
	tag := r.promote(r.rvalue(n.ExpressionList))
	t, ok := tag.Type().(*tree.Integer)
	if !ok {
		r.Fail(r.pos(n), "the value of a switch is no integer")
	}
	s := &openSwitch{Switch: &tree.Switch{At: r.at(n), Tag: tag}, tag: t}
	f := r.function
	f.switches, f.breaks = append(f.switches, s), append(f.breaks, s.Switch)
	s.Body = r.substatement(n.Statement)
	f.switches, f.breaks = f.switches[:len(f.switches)-1], f.breaks[:len(f.breaks)-1]
	return s.Switch
}

// caseLabel reads case a:, case a ... b: and default:.
func (r *reader) caseLabel(n *cc.LabeledStatement) tree.Statement {
	c := &tree.Case{At: r.at(n)}
	if len(r.function.switches) == 0 {
		r.Fail(c.Position, "a case outside a switch")
	}
	s := r.function.switches[len(r.function.switches)-1]
	if n.Case == cc.LabeledStatementDefault {
		if s.Default != nil {
			r.Fail(c.Position, "a switch has two defaults")
		}
		s.Default = c
		c.Statement = r.statement(n.Statement)
		return c
	}
	c.Low = s.tag.Wrap(r.constantExpression(n.ConstantExpression, "a case"))
	c.High = c.Low
	if n.Case == cc.LabeledStatementRange {
		c.High = s.tag.Wrap(r.constantExpression(n.ConstantExpression2, "a case"))
	}
	if c.Low.Cmp(c.High) <= 0 { // else the range is empty
		r.takeCase(s, c)
	}
	s.Cases = append(s.Cases, c)
	c.Statement = r.statement(n.Statement)
	return c
}

// takeCase checks that the values of a case are not those of another.
func (r *reader) takeCase(s *openSwitch, c *tree.Case) {
	at := sort.Search(len(s.taken), func(i int) bool { return s.taken[i].High.Cmp(c.Low) >= 0 })
	if at < len(s.taken) && s.taken[at].Low.Cmp(c.High) <= 0 {
		r.Fail(c.Position, "the case %s is there twice", largest(c.Low, s.taken[at].Low))
	}
	s.taken = append(s.taken, nil)
	copy(s.taken[at+1:], s.taken[at:])
	s.taken[at] = c
}

func largest(a, b *big.Int) *big.Int {
	if a.Cmp(b) > 0 {
		return a
	}
	return b
}

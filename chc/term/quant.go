package term

import "slices"

// Forall returns the universal quantification of body over vars. Variables that are not free in the body are dropped,
// directly nested universal quantifiers are joined.
func (p *Pool) Forall(vars []*Term, body *Term) *Term { return p.quantify(Forall, vars, body) }

// Exists returns the existential quantification of body over vars, normalised like Forall.
func (p *Pool) Exists(vars []*Term, body *Term) *Term { return p.quantify(Exists, vars, body) }

func (p *Pool) quantify(op Op, vars []*Term, body *Term) *Term {
	p.check(body.sort == Bool, op.String(), body)
	if body.IsGround() {
		return body
	}
	free := map[*Term]bool{}
	for _, v := range Vars(body) {
		free[v] = true
	}
	var bound []*Term
	for _, v := range vars {
		if v.op != Var {
			panic("term: quantification over the term " + v.String())
		}
		if free[v] && !slices.Contains(bound, v) {
			bound = append(bound, v)
		}
	}
	if len(bound) == 0 {
		return body
	}
	if body.op == op {
		// The inner variables are bound in the inner body, so no outer one is among them.
		bound = append(bound, body.ext.q.bound...)
		body = body.args[0]
	}
	return p.own(op, Bool, &key{bound: bound}, body)
}

// freeWithout returns the free variables of t without those in bound.
func freeWithout(t *Term, bound []*Term) []*Term {
	return slices.DeleteFunc(Vars(t), func(v *Term) bool { return slices.Contains(bound, v) })
}

package ast

import "math/big"

// Multiple is an expression times a number.
type Multiple struct {
	Factor *big.Int
	Expr   Expr
}

// Sum is a linear expression over integers taken apart: a number and multiples of expressions, in the order of the text.
type Sum struct {
	Constant *big.Int
	Terms    []Multiple
}

// SumOf takes an expression over integers apart. Which expressions are numbers numeral says; expand, if it is not nil, returns
// what stands for an expression, or nil where it stands for itself.
func SumOf(e Expr, numeral func(Expr) (*big.Int, bool), expand func(Expr) Expr) Sum {
	out := Sum{Constant: new(big.Int)}
	var add func(e Expr, factor *big.Int)
	add = func(e Expr, factor *big.Int) {
		if n, ok := numeral(e); ok {
			out.Constant.Add(out.Constant, new(big.Int).Mul(factor, n))
			return
		}
		if expand != nil {
			if other := expand(e); other != nil {
				add(other, factor)
				return
			}
		}
		switch e := e.(type) {
		case *Unary:
			if e.Op == Negate {
				add(e.X, new(big.Int).Neg(factor))
				return
			}
		case *Binary:
			switch e.Op {
			case Add:
				add(e.X, factor)
				add(e.Y, factor)
				return
			case Sub:
				add(e.X, factor)
				add(e.Y, new(big.Int).Neg(factor))
				return
			case Mul:
				if n, ok := numeral(e.X); ok {
					add(e.Y, new(big.Int).Mul(factor, n))
					return
				}
				if n, ok := numeral(e.Y); ok {
					add(e.X, new(big.Int).Mul(factor, n))
					return
				}
			}
		}
		out.Terms = append(out.Terms, Multiple{factor, e})
	}
	add(e, big.NewInt(1))
	return out
}

// Split takes out the multiples of a positive number, divided by it; what is left of the constant is not negative.
func (s Sum) Split(of *big.Int) (multiples, rest Sum) {
	multiples.Constant, rest.Constant = new(big.Int), new(big.Int)
	multiples.Constant.DivMod(s.Constant, of, rest.Constant)
	for _, m := range s.Terms {
		q, r := new(big.Int).DivMod(m.Factor, of, new(big.Int))
		if r.Sign() == 0 {
			multiples.Terms = append(multiples.Terms, Multiple{q, m.Expr})
		} else {
			rest.Terms = append(rest.Terms, m)
		}
	}
	return multiples, rest
}

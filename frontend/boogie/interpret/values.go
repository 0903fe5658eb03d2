package interpret

import (
	"errors"
	"fmt"
	"math/big"
)

// Value is a Bool, an Int, a Real, a BitVector, an Element, a *Map, a *Data or a *Polymorphic.
type Value interface {
	String() string
	isValue()
}

// Bool is a truth value.
type Bool bool

// Int is an integer; N is not changed.
type Int struct{ N *big.Int }

// Real is a rational number; R is not changed.
type Real struct{ R *big.Rat }

// BitVector is a bit-vector as the unsigned number N below 2^Width.
type BitVector struct {
	Width int
	N     *big.Int
}

// Element is a value of an uninterpreted type, which has one for each integer.
type Element struct {
	Type string
	N    *big.Int
}

func (Bool) isValue()      {}
func (Int) isValue()       {}
func (Real) isValue()      {}
func (BitVector) isValue() {}
func (Element) isValue()   {}
func (*Map) isValue()      {}

func (b Bool) String() string      { return fmt.Sprint(bool(b)) }
func (i Int) String() string       { return i.N.String() }
func (v BitVector) String() string { return fmt.Sprintf("%sbv%d", v.N, v.Width) }
func (e Element) String() string   { return e.Type + "!" + e.N.String() }

func (r Real) String() string {
	if r.R.IsInt() {
		return r.R.Num().String() + ".0"
	}
	return r.R.RatString()
}

// NewInt is an integer.
func NewInt(n int64) Int { return Int{big.NewInt(n)} }

// errUndetermined is wrapped by the errors that say why something cannot be decided.
var errUndetermined = errors.New("undetermined")

func undeterminedf(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errUndetermined, fmt.Sprintf(format, args...))
}

// key is the same for equal values of one type, and only for these.
func key(v Value) (string, error) {
	switch v := v.(type) {
	case Bool:
		return v.String(), nil
	case Int:
		return v.N.String(), nil
	case Real:
		return v.R.RatString(), nil
	case BitVector:
		return v.N.String(), nil
	case Element:
		return v.N.String(), nil
	case *Map:
		return v.normal()
	case *Data:
		return v.key()
	}
	return "", undeterminedf("a value of an unknown kind")
}

// equal reports whether two values of one type are equal; the error says why that cannot be decided.
func equal(a, b Value) (bool, error) {
	switch a := a.(type) {
	case Bool:
		return a == b.(Bool), nil
	case Int:
		return a.N.Cmp(b.(Int).N) == 0, nil
	case Real:
		return a.R.Cmp(b.(Real).R) == 0, nil
	case BitVector:
		return a.N.Cmp(b.(BitVector).N) == 0, nil
	case Element:
		return a.N.Cmp(b.(Element).N) == 0, nil
	case *Map:
		return equalMaps(a, b.(*Map))
	case *Data:
		return equalData(a, b.(*Data))
	case *Polymorphic:
		return equalPolymorphic(a, b.(*Polymorphic))
	}
	return false, undeterminedf("the equality of values of an unknown kind")
}

package tree

import (
	"math/big"
	"regexp"
	"strings"
)

// extended matches a constant that is spelled as one of a type with more digits than a double has, without its suffix.
var extended = regexp.MustCompile(`(?i)^(-?[0-9a-fx.]+(?:[ep][-+]?\d{1,4})?)(?:l|f128|f64x)$`)

// Spelled is the number that the source has for a long double, or another type with more digits than a double; nil for other
// constants, which Float is, and for numbers that are too long to be looked at.
func (v *FloatConstant) Spelled() *big.Rat {
	t, ok := v.T.(*Float)
	if !ok || t.Name == "float" || t.Name == "double" {
		return nil
	}
	m := extended.FindStringSubmatch(v.Text)
	if m == nil {
		return nil
	}
	r, ok := new(big.Rat).SetString(m[1])
	if !ok {
		return nil
	}
	return r
}

// Exact tells whether Float is the constant, and not only what a double can hold of it.
func (v *FloatConstant) Exact() bool {
	t, ok := v.T.(*Float)
	if !ok || t.Name == "float" || t.Name == "double" || !strings.ContainsAny(v.Text, "lLfF") {
		return true
	}
	r := v.Spelled()
	if r == nil {
		return false
	}
	x := new(big.Rat).SetFloat64(v.Float)
	return x != nil && x.Cmp(r) == 0
}

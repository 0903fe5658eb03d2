package term

import (
	"math/big"
	"strings"
)

// QuoteSymbol returns name as a symbol: as it is when that is a simple symbol of SMT-LIB, else between bars. A backslash, which
// SMT-LIB has in no symbol, is printed as Z3 reads it: between bars, and at the end of a name, where a bar would not end
// the symbol, without bars. What cannot be printed, a bar and the last backslash of a name that needs bars, becomes an
// underscore.
func QuoteSymbol(name string) string {
	if isSimpleSymbol(name) || strings.HasSuffix(name, `\`) && isSimpleSymbol(strings.ReplaceAll(name, `\`, "/")) {
		return name
	}
	name = strings.ReplaceAll(name, "|", "_")
	if short, ok := strings.CutSuffix(name, `\`); ok {
		name = short + "_"
	}
	return "|" + name + "|"
}

func isSimpleSymbol(s string) bool {
	switch s {
	case "", "_", "!", "as", "let", "exists", "forall", "match", "par", "BINARY", "DECIMAL", "HEXADECIMAL", "NUMERAL", "STRING":
		return false
	}
	for i := range len(s) {
		c := s[i]
		switch {
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || strings.IndexByte("~!@$%^&*_-+=<>.?/", c) >= 0:
		case '0' <= c && c <= '9' && i > 0:
		default:
			return false
		}
	}
	return true
}

// formatNum returns the numeral n of sort Int, Real or a bit-vector sort in SMT-LIB.
func formatNum(n Num, s *Sort) string {
	if s.Kind == BitVecKind {
		return formatBits(n.BigInt(), s.Width)
	}
	if n.Sign() < 0 {
		return "(- " + formatNum(n.Neg(), s) + ")"
	}
	switch {
	case s == Int:
		return n.String()
	case n.IsInt():
		return n.String() + ".0"
	}
	return "(/ " + n.Num().String() + ".0 " + n.Denom().String() + ".0)"
}

func formatBits(b *big.Int, w int) string {
	digits, prefix, n := b.Text(2), "#b", w
	if w%4 == 0 {
		digits, prefix, n = b.Text(16), "#x", w/4
	}
	return prefix + strings.Repeat("0", n-len(digits)) + digits
}

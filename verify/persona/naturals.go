package persona

import "bytes"

// The compiler reads `(bv2nat t)` as an operator that it does not know, whose result has the sort of its last argument. It then ends
// with an internal error where an integer is needed, as in `((_ int2bv 8) (bv2nat t))`. A sum with 0 at its end has the right sort
// for it, and the same value for everyone else.
const (
	natural     = "(bv2nat "
	sumOfOne    = "(+ " + natural
	endOfTheSum = ") 0)"
)

// withSumsOfNaturals returns the text of a model with each `(bv2nat t)` written as `(+ (bv2nat t) 0)`.
func withSumsOfNaturals(model []byte) []byte {
	if !bytes.Contains(model, []byte(natural)) {
		return model
	}
	var out bytes.Buffer
	// open says for each open parenthesis whether it is that of a bv2nat.
	var open []bool
	for i := 0; i < len(model); i++ {
		switch c := model[i]; {
		case c == '|' || c == '"':
			end := bytes.IndexByte(model[i+1:], c)
			if end < 0 {
				out.Write(model[i:])
				return out.Bytes()
			}
			out.Write(model[i : i+end+2])
			i += end + 1
		case bytes.HasPrefix(model[i:], []byte(natural)):
			open = append(open, true)
			out.WriteString(sumOfOne)
			i += len(natural) - 1
		case c == '(':
			open = append(open, false)
			out.WriteByte(c)
		case c == ')' && len(open) > 0:
			if open[len(open)-1] {
				out.WriteString(endOfTheSum)
			} else {
				out.WriteByte(c)
			}
			open = open[:len(open)-1]
		default:
			out.WriteByte(c)
		}
	}
	return out.Bytes()
}

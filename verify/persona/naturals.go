package persona

import "bytes"

// solc, Solidity's compiler, does not know bv2nat and gives `(bv2nat t)` the sort of t, which is an internal error of solc where an
// integer is needed, as in `((_ int2bv 8) (bv2nat t))`. It gives a sum the sort of its last summand, so that adding 0 at the end makes
// an integer of it without changing the value.
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

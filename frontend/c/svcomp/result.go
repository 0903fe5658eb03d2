package svcomp

// Result is a result in the competition's words: true, false(unreach-call), unknown.
func Result(safe, unsafe bool, property string) string {
	switch {
	case safe:
		return "true"
	case unsafe && property == UnreachLabel:
		return "false(unreach-label)"
	case unsafe:
		return "false(" + property + ")"
	}
	return "unknown"
}

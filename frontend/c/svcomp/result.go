package svcomp

import "hornbeam/frontend/c/fault"

// violated are the properties that SV-COMP names a violation by, where that is not the one that was asked.
var violated = map[fault.Kind]string{fault.Dereference: "valid-deref", fault.Free: "valid-free", fault.Lost: "valid-memtrack"}

// Result is a result in the competition's words: true, false(unreach-call), unknown. Of an unsafe program found is the fault.
func Result(safe, unsafe bool, property string, found fault.Kind) string {
	switch {
	case safe:
		return "true"
	case unsafe && property == UnreachLabel:
		return "false(unreach-label)"
	case unsafe && property == "valid-memsafety":
		return "false(" + violated[found] + ")"
	case unsafe:
		return "false(" + property + ")"
	}
	return "unknown"
}

package decide

import (
	"fmt"

	"hornbeam/frontend/c/interpret"
)

// deviation says what the run of C does where a refutation has an error.
func deviation(o interpret.Outcome) string {
	at := ""
	if p := o.Pos(); p.Line > 0 {
		at = " at " + p.String()
	}
	switch o.Kind {
	case interpret.Ended:
		return "which ends without an error" + at
	case interpret.AssumptionFailed:
		return "in which an assumption does not hold" + at
	case interpret.Undefined:
		return "whose behaviour is undefined" + at + ": " + o.What
	case interpret.Undetermined:
		return "which cannot be executed exactly" + at + ": " + o.What
	}
	return "which runs into a limit" + at + ": " + o.What
}

// inexact says what the clauses are not exact about: a few places.
func (r *Result) inexact() string {
	const most = 3
	s := ""
	for i, a := range r.Translation.Approximations {
		if i == most {
			s += fmt.Sprintf(", and at %d more places", len(r.Translation.Approximations)-most)
			break
		}
		if i > 0 {
			s += ","
		}
		s += " " + a.What
		if a.Pos.Line > 0 {
			s += fmt.Sprintf(" at %s", a.Pos)
		}
	}
	if s == "" {
		return ""
	}
	return "; not exact is" + s
}

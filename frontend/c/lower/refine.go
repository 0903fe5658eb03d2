package lower

import (
	"slices"

	"hornbeam/frontend/c/machine"
)

// Refine makes more of a program exact after a refutation that is no run of it. It changes the plan of the options, and reports
// whether there was something to change. Of an operation on floating numbers the result is said for the operands that the refutation
// had, which bounds it for others as rounding is monotonous. When no operation is left, what is read of maps is put into its range.
func Refine(l *Lowered, o Options, run Executed) bool {
	executed := run.Occurrences
	changed := o.Plan.learn(l, run.Floats)
	for _, occurrence := range l.Occurrences {
		if !executed[occurrence.ID] {
			continue
		}
		mode := o.Mode
		if occurrence.Operation.Op.Floats() {
			if !exactable(occurrence.Operation.Op) && !(occurrence.addsConstant() && len(o.Plan.Points[occurrence.ID]) >= pointsBefore) {
				continue
			}
			mode = Ranged
		}
		switch mode {
		case Ranged:
			if o.Plan.Exact == nil {
				o.Plan.Exact = map[int]bool{}
			}
			if !o.Plan.Exact[occurrence.ID] {
				o.Plan.Exact[occurrence.ID] = true
				changed = true
			}
		case Guided:
			if !o.Plan.Vectors[occurrence.Class] {
				o.Plan.lift(occurrence.Class)
				changed = true
			}
		}
	}
	if !changed && l.Loads && !o.Plan.Loads {
		o.Plan.Loads, changed = true, true
	}
	return changed
}

// pointsBefore is how many points are learnt of a sum before it is said exactly, which is large.
const pointsBefore = 8

// addsConstant tells whether an occurrence is a sum or a difference with a constant.
func (o *Occurrence) addsConstant() bool {
	if o.Operation.Op != machine.FloatAdd && o.Operation.Op != machine.FloatSub || o.Operation.Type.Bits > 64 {
		return false
	}
	return slices.ContainsFunc(o.Operands, func(p Operand) bool { return p.Value != nil })
}

// lift makes bit-vectors of a class.
func (p *Plan) lift(class int) {
	if p.Vectors == nil {
		p.Vectors = map[int]bool{}
	}
	p.Vectors[class] = true
}

package bits

// Refine makes more of a program exact after a refutation that is no run of it: executed are the occurrences that it came
// by. It changes the plan of the options, and reports whether there was something to change.
func Refine(l *Lowered, o Options, executed map[int]bool) bool {
	changed := false
	for _, occurrence := range l.Occurrences {
		if !executed[occurrence.ID] {
			continue
		}
		mode := o.Mode
		if occurrence.Operation.Op.Floats() {
			if !exactable(occurrence.Operation.Op) {
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
	return changed
}

// lift makes bit-vectors of a class.
func (p *Plan) lift(class int) {
	if p.Vectors == nil {
		p.Vectors = map[int]bool{}
	}
	p.Vectors[class] = true
}

package lower

// Refine makes more of a program exact after a refutation that is no run of it. It changes the plan of the options and reports whether
// there was something to change. executed are the numbers of the occurrences that the refutation executed. When no operation is left,
// what is read of maps is put into its range.
func Refine(l *Lowered, o Options, executed map[int]bool) bool {
	changed := false
	for _, occurrence := range l.Occurrences {
		if !executed[occurrence.ID] {
			continue
		}
		mode := o.Mode
		if op := occurrence.Operation.Op; op.Floats() {
			if !exactable(op) {
				continue
			}
			mode = Ranged
		}
		switch mode {
		case Ranged:
			changed = add(&o.Plan.Exact, occurrence.ID) || changed
		case Guided:
			changed = add(&o.Plan.Vectors, occurrence.Class) || changed
		}
	}
	if !changed && l.Loads && !o.Plan.Loads {
		o.Plan.Loads, changed = true, true
	}
	return changed
}

// add puts an element into a set and reports whether it is new.
func add(set *map[int]bool, element int) bool {
	if (*set)[element] {
		return false
	}
	if *set == nil {
		*set = map[int]bool{}
	}
	(*set)[element] = true
	return true
}

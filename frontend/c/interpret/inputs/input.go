package inputs

// mostPeriod is how many values are told apart at most by what they leave when they are divided.
const mostPeriod = 1 << 16

// Input is a value that a run is given, in two's complement.
type Input struct {
	// Value is the value, and room how far it may be raised, by multiples of period.
	Value, room, period uint64
}

// Limit says that the run would be another one if the value were raised by more than room.
func (in *Input) Limit(room uint64) { in.room = min(in.room, room) }

// Fix says that the run depends on the value itself.
func (in *Input) Fix() { in.room = 0 }

// Modulo says that the run depends on what the value leaves when it is divided by period, which is not 0.
func (in *Input) Modulo(period uint64) {
	if in.period = common(in.period, period); in.period == 0 {
		in.period = 1
		in.Fix()
	}
}

// Room is how far the value may be raised at most.
func (in *Input) Room() uint64 { return in.room - in.room%in.period }

// common is the least common multiple of two periods, 0 if it is more than mostPeriod.
func common(a, b uint64) uint64 {
	if a > mostPeriod || b > mostPeriod {
		return 0
	}
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	if m := a / x * b; m <= mostPeriod {
		return m
	}
	return 0
}

package inputs

// Input is a value that a run is given, in two's complement.
type Input struct {
	// Value is the value, and room how far it may be raised.
	Value, room uint64
}

// Limit says that the run would be another one if the value were raised by more than room.
func (in *Input) Limit(room uint64) { in.room = min(in.room, room) }

// Fix says that the run depends on the value itself.
func (in *Input) Fix() { in.room = 0 }

// Room is how far the value may be raised.
func (in *Input) Room() uint64 { return in.room }

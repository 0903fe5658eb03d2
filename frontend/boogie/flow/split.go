package flow

// Split makes a block of every command: a block of several becomes a chain. Only what stands at the beginning of a loop
// as its invariants stays together, in the loop's head.
func (g *Graph) Split() {
	var blocks []*Block
	for _, b := range g.Blocks {
		blocks = append(blocks, b)
		at := 1
		if b.Loop {
			at = b.Invariants()
		}
		for len(b.Commands) > max(at, 1) {
			at = max(at, 1)
			rest := &Block{Pos: b.Commands[at].Pos, Commands: b.Commands[at:], Next: b.Next}
			b.Commands, b.Next = b.Commands[:at:at], []*Block{rest}
			blocks = append(blocks, rest)
			b, at = rest, 1
		}
	}
	for i, b := range blocks {
		b.Index = i
	}
	g.Blocks = blocks
}

// Invariants is how many commands at the beginning of a loop's head are assertions and assumptions: its invariants.
func (b *Block) Invariants() int {
	for i, c := range b.Commands {
		if c.Kind != Assert && c.Kind != Assume {
			return i
		}
	}
	return len(b.Commands)
}

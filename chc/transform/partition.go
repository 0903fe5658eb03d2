package transform

// Partition divides values into classes (union-find). The zero Partition has each value in a class of its own.
type Partition[T comparable] struct {
	parent map[T]T
}

// Find returns the value that stands for a class; it changes when the class is joined to another one.
func (p *Partition[T]) Find(n T) T {
	for {
		q, ok := p.parent[n]
		if !ok || q == n {
			return n
		}
		n = q
	}
}

// Join makes one class of those of two values.
func (p *Partition[T]) Join(a, b T) {
	if a, b = p.Find(a), p.Find(b); a != b {
		if p.parent == nil {
			p.parent = map[T]T{}
		}
		p.parent[b] = a
	}
}

package region

import "hornbeam/frontend/c/tree"

// Within is the region of the scalar at some bytes behind the beginning of a place, such as of a field of a struct that is
// copied; nil if nothing accesses it.
func (r *Regions) Within(p tree.Place, offset int64) *Region {
	c, ok := r.a.places[p]
	if !ok {
		return nil
	}
	return r.at(c.at(offset))
}

// Behind is the region of the scalar at some bytes behind where a pointer leads; nil if it leads nowhere or nothing
// accesses that.
func (r *Regions) Behind(v tree.Value, offset int64) *Region {
	c, ok := r.a.values[v]
	if !ok || c.nowhere() {
		return nil
	}
	return r.at(c.at(offset))
}

// CutWithin, CutBehind and CutObject tell whether a scalar that some access reads or writes as one lies on both sides of an
// offset of a place, of where a pointer leads, and of an object.
func (r *Regions) CutWithin(p tree.Place, offset int64) bool { return r.cut(r.a.places[p], offset) }

// CutBehind is about where a pointer leads.
func (r *Regions) CutBehind(v tree.Value, offset int64) bool { return r.cut(r.a.values[v], offset) }

// CutObject is about an object.
func (r *Regions) CutObject(o *tree.Object, offset int64) bool { return r.cut(r.a.objects[o], offset) }

func (r *Regions) cut(c cell, offset int64) bool {
	if c.nowhere() {
		return false
	}
	c = c.at(offset)
	if region := r.at(c); region != nil && region.Mixed {
		return false // it is bytes
	}
	n := c.node
	for _, begins := range sortedKeys(n.accesses) {
		width := int64(0)
		for _, t := range n.accesses[begins] {
			width = max(width, t.Size())
		}
		for k := int64(1); k < width; k++ {
			if n.normal(begins+k) == c.offset && begins != c.offset {
				return true
			}
		}
	}
	return false
}

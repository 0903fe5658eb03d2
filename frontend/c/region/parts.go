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

package refine

// congruencesEngine is what finds sums modulo 2^width, and congruencesOptions have it look for no others, and no longer than they are likely to
// take.
const congruencesEngine = "affine"

var congruencesOptions = map[string]string{"affine.degree": "1", "affine.congruences": "true", "affine.limit": "500ms"}

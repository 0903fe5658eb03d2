package term

// IntegersOnly reports whether everything in a formula is an integer or a truth value: there are no quantifiers, and no
// terms of other sorts.
func IntegersOnly(t *Term) bool {
	only := true
	Walk(t, func(u *Term) bool {
		only = only && !u.IsQuantifier() && (u.Sort() == Int || u.IsBool())
		return only
	})
	return only
}

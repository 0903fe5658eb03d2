// Package proof prints refutations in other tools' forms.
//
//	z3.go  z3's: nested hyper-res steps
package proof

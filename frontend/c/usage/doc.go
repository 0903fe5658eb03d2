// Package usage finds how a C program uses its functions and objects, as far as a translation depends on it: what the entry
// reaches, what is read, written and indexed, what evaluating something changes, and which pointers always stand for named objects.
//
//	reach.go     what the entry reaches
//	usage.go     what of it is read, written and indexed
//	bind.go      which pointers stand for named objects
//	unset.go     which objects may be read before they have a value
//	effects.go   what evaluating something changes
package usage

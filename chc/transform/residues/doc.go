// Package residues writes integer arguments as a quotient and a remainder: where clauses divide by small constants or count
// in steps of one, what is true of an argument depends on its remainder, which no linear inequality tells.
package residues

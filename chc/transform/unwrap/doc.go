// Package unwrap gives predicates the numbers of which their arguments are functions.
//
// What a C program converts to a narrower type, or counts without a sign, is a remainder, and an average is a quotient: equations say
// nothing about these. The number before is as good, where all that is done with the value before it is used is to hand it on, or to add
// to a remainder and take the remainder again.
package unwrap

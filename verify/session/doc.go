// Package session answers the commands of an SMT-LIB script one by one, as they come over a pipe: scopes, several checks, models,
// refutations and values after each. What a check has found out is used in later ones where it still holds.
//
//	session.go  the commands and their answers
//	values.go   get-value and get-info
//	memory.go   what earlier checks leave for later ones
package session

// Package prune has the passes that remove what cannot matter: predicates outside of the cone of influence, arguments that are
// constant, unused or unrestricted, and derivations that no use of a loop can need.
package prune

// Package resolve resolves clauses with each other and carries refutations by resolvents back to the clauses resolved.
package resolve

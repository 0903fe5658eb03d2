// Package simplify rewrites clauses into normal form, one by one, and removes or merges those that others make redundant.
package simplify

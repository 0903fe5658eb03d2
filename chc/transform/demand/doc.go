// Package demand restricts the predicates of calls to the inputs that some caller has, by predicates for these inputs.
package demand

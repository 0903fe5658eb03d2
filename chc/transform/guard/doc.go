// Package guard has the passes for operations that SMT-LIB leaves open: selectors applied to another constructor and
// division by zero. They get any value, or the steps that depend on them are left out.
package guard

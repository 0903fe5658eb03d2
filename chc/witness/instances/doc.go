// Package instances refutes formulas with quantifiers by instances of these at the terms that occur.
package instances

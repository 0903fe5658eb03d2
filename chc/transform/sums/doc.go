// Package sums gives predicates the sums of their arrays' elements, of which quantifiers over indices say nothing.
package sums

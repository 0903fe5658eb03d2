// Package inline resolves predicates away (large-block encoding) and finds interpretations for them afterwards.
package inline

// Package cells replaces arrays in predicates by their values at a few arbitrary indices (cell abstraction).
package cells

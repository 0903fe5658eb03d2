// Package expand replaces an array of known length by a variable for each element.
package expand

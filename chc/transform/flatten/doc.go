// Package flatten replaces arguments of datatypes with one constructor, and arrays of such, by their components.
package flatten

// Package constructors replaces an argument that is always built by one constructor by the fields of that constructor.
package constructors

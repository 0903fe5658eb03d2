// Package bare says what a translation follows beside the values of a program where it is asked about those that come from objects
// without a value: Flow finds where such values may come to, and Variables are the variables of the translation that say of the values
// there whether they are such ones. What is assigned to these variables, and checked of them, package translate says.
package bare

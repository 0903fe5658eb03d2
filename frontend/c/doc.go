// Package c reads C programs: GNU C11 as SV-COMP's, SMACK's and SeaHorn's programs use it, preprocessed or not.
//
// Read gives a tree.Program, in which names are resolved, conversions are written out and objects are laid out. Package
// source preprocesses and parses the text, package read resolves the parser's tree.
//
// What is wrong with a program is an Error with its place. What is C but cannot be handled (threads, setjmp, computed
// gotos, ...) is no error here: it becomes a tree.Unsupported or tree.UnsupportedValue that names it, so that a
// program whose verdict does not depend on it can still be decided.
package c

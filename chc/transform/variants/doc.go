// Package variants writes a value of a datatype with several constructors, such as an object of a heap, as a tag, which says what
// built it, and the fields of all constructors: the engines' facts about numbers then reach into it.
package variants

// Package source turns the text of a C program into the parser's tree: it rewrites what gcc reads and the parser does not,
// sets up the preprocessor, and has the headers that stand for the host's.
//
// The preprocessor and the parser are those of modernc.org/cc/v4. No host compiler and no header of the host is used: the standard
// headers, and SMACK's and SeaHorn's, are the ones in include, which only declare.
package source

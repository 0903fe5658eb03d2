// Package document has the texts of an editor: positions in its units, changes, and stretches that move with the changes.
//
// The protocol counts a column in the 16-bit units of UTF-16, and the front ends in bytes (C) or letters (Boogie, SMT-LIB); a line ends, for the protocol, with a line
// feed, a carriage return or both, and for the front ends with a line feed.
package document

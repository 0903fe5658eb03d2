// Package protocol has the messages of the Language Server Protocol, version 3.17, that Hornbeam's server reads and writes, as far as it
// looks at their members, and the frames that they come in.
package protocol

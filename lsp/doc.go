// Package lsp is Hornbeam in an editor: a server of the Language Server Protocol for Boogie, C and Horn clauses in SMT-LIB. While one types
// it says what is wrong with a text, and when the text is saved, the verdict of each procedure or check; an edit ends that at once. What
// proofs found is shown in the lines and where the mouse is, and can be inserted.
//
//	server.go     the connection: requests to answers
//	texts.go      the open texts, their reading and their verification
//	settings.go   the settings, from the client and from hornbeam.toml
//	publish.go    findings to diagnostics
//	answers.go    hovers, hints and actions
//
// Package protocol has the messages, document texts and their positions, and inspect what is found out about a text.
package lsp

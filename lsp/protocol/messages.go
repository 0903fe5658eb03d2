package protocol

import (
	"encoding/json"

	"hornbeam/lsp/document"
)

// Initialize is what a client says of itself first.
type Initialize struct {
	Options      json.RawMessage `json:"initializationOptions"`
	Capabilities struct {
		Window struct {
			Progress bool `json:"workDoneProgress"`
		} `json:"window"`
		Workspace struct {
			InlayHint struct {
				Refresh bool `json:"refreshSupport"`
			} `json:"inlayHint"`
		} `json:"workspace"`
		TextDocument struct {
			Publish struct {
				Related bool `json:"relatedInformation"`
			} `json:"publishDiagnostics"`
		} `json:"textDocument"`
	} `json:"capabilities"`
}

// Initialized is the answer to it.
type Initialized struct {
	Capabilities Capabilities `json:"capabilities"`
	Server       ServerInfo   `json:"serverInfo"`
}

// ServerInfo names the server.
type ServerInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Capabilities are what the server does.
type Capabilities struct {
	Encoding   string            `json:"positionEncoding"`
	Sync       Sync              `json:"textDocumentSync"`
	Hover      bool              `json:"hoverProvider"`
	InlayHint  bool              `json:"inlayHintProvider"`
	CodeAction CodeActionOptions `json:"codeActionProvider"`
}

// Sync says how the server is told of texts. Change 2 stands for edits.
type Sync struct {
	OpenClose bool `json:"openClose"`
	Change    int  `json:"change"`
	Save      bool `json:"save"`
}

// CodeActionOptions are the kinds of actions there are.
type CodeActionOptions struct {
	Kinds []string `json:"codeActionKinds"`
}

// Document names a text.
type Document struct {
	URI string `json:"uri"`
}

// About is the parameters of notifications about a text.
type About struct {
	Document Document `json:"textDocument"`
}

// DidOpen has a text that was opened.
type DidOpen struct {
	Document struct {
		URI      string `json:"uri"`
		Language string `json:"languageId"`
		Version  int    `json:"version"`
		Text     string `json:"text"`
	} `json:"textDocument"`
}

// DidChange has the edits of a text, in order.
type DidChange struct {
	Document struct {
		URI     string `json:"uri"`
		Version int    `json:"version"`
	} `json:"textDocument"`
	Edits []document.Edit `json:"contentChanges"`
}

// DidChangeConfiguration has the client's new settings.
type DidChangeConfiguration struct {
	Settings json.RawMessage `json:"settings"`
}

// At is a place in a text.
type At struct {
	Document Document          `json:"textDocument"`
	Position document.Position `json:"position"`
}

// In is a stretch of a text.
type In struct {
	Document Document       `json:"textDocument"`
	Range    document.Range `json:"range"`
	// Context has the kinds of code actions that are wanted; none stands for all.
	Context struct {
		Only []string `json:"only"`
	} `json:"context"`
}

// The severities of diagnostics, and of messages.
const (
	Error = 1 + iota
	Warning
	Information
	Hint
)

// Diagnostics are all those of a text.
type Diagnostics struct {
	URI         string       `json:"uri"`
	Version     int          `json:"version"`
	Diagnostics []Diagnostic `json:"diagnostics"`
}

// Diagnostic is a remark on a stretch of a text.
type Diagnostic struct {
	Range    document.Range `json:"range"`
	Severity int            `json:"severity"`
	Code     string         `json:"code,omitempty"`
	Source   string         `json:"source"`
	Message  string         `json:"message"`
	Related  []Related      `json:"relatedInformation,omitempty"`
}

// Related is a remark on another place.
type Related struct {
	Location Location `json:"location"`
	Message  string   `json:"message"`
}

// Location is a stretch of a file.
type Location struct {
	URI   string         `json:"uri"`
	Range document.Range `json:"range"`
}

// Hover is what is shown at a place.
type Hover struct {
	Contents Markup         `json:"contents"`
	Range    document.Range `json:"range"`
}

// Markup is text, of the kind markdown.
type Markup struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

// InlayHint is text that is shown in a line and is not there.
type InlayHint struct {
	Position document.Position `json:"position"`
	Label    string            `json:"label"`
	Tooltip  Markup            `json:"tooltip"`
	Left     bool              `json:"paddingLeft"`
	// Edits insert it.
	Edits []TextEdit `json:"textEdits,omitempty"`
}

// TextEdit replaces a stretch of a text.
type TextEdit struct {
	Range document.Range `json:"range"`
	Text  string         `json:"newText"`
}

// CodeAction is an edit that is offered.
type CodeAction struct {
	Title string        `json:"title"`
	Kind  string        `json:"kind"`
	Edit  WorkspaceEdit `json:"edit"`
}

// WorkspaceEdit has the edits of texts by their URIs.
type WorkspaceEdit struct {
	Changes map[string][]TextEdit `json:"changes"`
}

// Message is shown to the user. Its Type is a severity.
type Message struct {
	Type    int    `json:"type"`
	Message string `json:"message"`
}

// Token names a piece of work for its progress.
type Token struct {
	Token string `json:"token"`
}

// Progress is a report on a piece of work.
type Progress struct {
	Token string       `json:"token"`
	Value WorkProgress `json:"value"`
}

// WorkProgress is a report: its Kind is begin, report or end.
type WorkProgress struct {
	Kind        string `json:"kind"`
	Title       string `json:"title,omitempty"`
	Message     string `json:"message,omitempty"`
	Cancellable bool   `json:"cancellable,omitempty"`
}

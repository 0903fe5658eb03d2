package bench

import _ "embed"

var (
	// Tools are the definitions of the tools that are known without any of the user's, as bench/tool reads them.
	//
	//go:embed tools.yml
	Tools []byte

	// Papers are the papers whose claims the experiments try, as bench/experiments reads them.
	//
	//go:embed papers.yml
	Papers []byte
)

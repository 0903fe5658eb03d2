package bench

import _ "embed"

// Tools are the definitions of the tools that are known without any of the user's, as bench/tool reads them.
//
//go:embed tools.yml
var Tools []byte

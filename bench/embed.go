package bench

import "embed"

// Tools are the definitions of the tools that are known without any of the user's, as bench/tool reads them.
//
//go:embed tools.yml
var Tools []byte

// experiments are the experiments that come with the program.
//
//go:embed experiments/*.yml
var experiments embed.FS

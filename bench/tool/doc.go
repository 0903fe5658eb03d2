// Package tool says what a tool is: the command that runs it on a task, how its verdict is read from what it prints, and how
// it says its version. Definitions are YAML; bench/tools.yml, which describes the form, has those of the tools that are
// known without any of the user's.
//
//	defs, err := tool.Parse("tools.yml", text)    // what is defined
//	t, err := defs.Choose("gpdr=hornbeam --engine gpdr")
//	err = t.Find(ctx, self)                       // is it here, and in which version? ErrMissing where it is not
//	argv, err := t.Arguments(&task, limits)
package tool

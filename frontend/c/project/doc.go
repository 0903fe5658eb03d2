// Package project reads how a project compiles its files: the compilation database that cmake, meson, bear and other tools write as
// compile_commands.json.
package project

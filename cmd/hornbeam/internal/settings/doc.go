// Package settings has what sets flags that are not on the command line: presets, and the file hornbeam.toml of a project.
package settings

package settings

import "slices"

// Preset is a set of values for a purpose. Options that a command does not have are not set.
type Preset struct {
	Name, Doc string
	Values    map[string]string
}

// Presets are those that there are.
var Presets = []Preset{
	{"quick", "an answer within ten seconds or none, as while editing", map[string]string{
		"timeout": "10s", "explore": "1s", "runs": "1s", "simplify": "500ms",
	}},
	{"thorough", "up to a quarter of an hour, longer runs at random, and smaller models and proofs", map[string]string{
		"timeout": "15m", "explore": "30s", "runs": "30s", "simplify": "20s",
	}},
	{"svcomp", "a run of SV-COMP: its words, its limits, and the witness in witness.yml", map[string]string{
		"svcomp": "true", "timeout": "880s", "memory": "14G", "witness": "witness.yml", "trace": "none", "progress": "off", "log": "error",
	}},
	{"chccomp", "a run of CHC-COMP: its limit on memory, and nothing beside the verdict", map[string]string{
		"memory": "28G", "progress": "off", "log": "error",
	}},
}

// PresetNames are the names of the presets, behind the word for none of them.
func PresetNames() []string {
	names := []string{NoPreset}
	for _, p := range Presets {
		names = append(names, p.Name)
	}
	return names
}

// NoPreset is the word for no preset.
const NoPreset = "none"

// preset is the values of a preset, none for an unknown one.
func preset(name string) map[string]string {
	if i := slices.IndexFunc(Presets, func(p Preset) bool { return p.Name == name }); i >= 0 {
		return Presets[i].Values
	}
	return nil
}

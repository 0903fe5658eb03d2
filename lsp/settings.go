package lsp

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/lsp/inspect"
	"hornbeam/lsp/protocol"
)

// setOwn takes the client's settings: an object of options by their names, which option may join with one of engines' settings. What is
// wrong is shown, and passed over.
func (s *server) setOwn(raw json.RawMessage) {
	own, engines, wrong := readOwn(raw)
	s.mu.Lock()
	s.own, s.ownEngines = own, engines
	s.mu.Unlock()
	for _, w := range wrong {
		s.tell(w)
	}
}

// readOwn reads settings, and says what is wrong with them.
func readOwn(raw json.RawMessage) (set, engines map[string]string, wrong []string) {
	set, engines = map[string]string{}, map[string]string{}
	var document map[string]any
	if len(raw) == 0 || string(raw) == "null" {
		return set, engines, nil
	}
	if err := json.Unmarshal(raw, &document); err != nil {
		return set, engines, []string{"the settings are no object"}
	}
	if inner, ok := document["hornbeam"].(map[string]any); ok {
		document = inner
	}
	table := new(inspect.Settings).Table()
	for _, name := range slices.Sorted(maps.Keys(document)) {
		if settings, ok := document[name].(map[string]any); ok && name == "option" {
			for _, name := range slices.Sorted(maps.Keys(settings)) {
				option, known := portfolio.Setting(name)
				wrong = append(wrong, take(engines, option, known, "option."+name, name, settings[name])...)
			}
			continue
		}
		i := slices.IndexFunc(table, func(o engine.Option) bool { return o.Name == name })
		var option engine.Option
		if i >= 0 {
			option = table[i]
		}
		wrong = append(wrong, take(set, option, i >= 0, name, name, document[name])...)
	}
	return set, engines, wrong
}

// take puts a value where its option allows it, and says otherwise why not. The empty text and null stand for no value.
func take(into map[string]string, option engine.Option, known bool, shown, name string, value any) []string {
	text, ok := textOf(value)
	switch {
	case value == nil || text == "" && ok:
		return nil
	case !known:
		return []string{"there is no setting " + shown}
	case !ok:
		return []string{"the setting " + shown + " is a word, a number, true, false or a list of words"}
	}
	if err := option.Validate(text); err != nil {
		return []string{err.Error()}
	}
	into[name] = text
	return nil
}

// textOf is a value as it would stand on the command line.
func textOf(value any) (string, bool) {
	switch v := value.(type) {
	case string, bool:
		return fmt.Sprint(v), true
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), true
	case []any:
		var words []string
		for _, e := range v {
			word, ok := e.(string)
			if !ok {
				return "", false
			}
			words = append(words, word)
		}
		return strings.Join(words, ","), true
	}
	return "", false
}

// tell shows a message about the settings, each once.
func (s *server) tell(message string) {
	s.mu.Lock()
	told := s.told[message]
	s.told[message] = true
	s.mu.Unlock()
	if !told {
		s.show(protocol.Warning, "hornbeam: "+message)
	}
}

// settings are those of a file: the client's over those of its folder.
func (s *server) settings(file string) inspect.Settings {
	set, engines := map[string]string{}, map[string]string{}
	if s.Configure != nil {
		configured, own, err := s.Configure(filepath.Dir(file))
		if err != nil {
			s.tell(engine.OneLine(err.Error()))
		}
		maps.Copy(set, configured)
		maps.Copy(engines, own)
	}
	s.mu.Lock()
	maps.Copy(set, s.own)
	maps.Copy(engines, s.ownEngines)
	s.mu.Unlock()
	settings, err := inspect.NewSettings(set, engines)
	if err != nil {
		s.tell(err.Error())
		settings, _ = inspect.NewSettings(nil, nil)
	}
	return settings
}

// configure takes new settings.
func (s *server) configure(p *protocol.DidChangeConfiguration) (any, error) {
	s.setOwn(p.Settings)
	return nil, nil
}

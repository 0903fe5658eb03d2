package source

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"modernc.org/cc/v4"
)

// preprocessedFrom marks the end of what is predefined in a preprocessed text.
const preprocessedFrom = "__hornbeam_program_begins;"

// Preprocess is the program without directives: what it includes, the embedded headers too, is in the text, and macros are
// expanded. Pragmas that change the layout of structs stay. Other compilers can read the text, and so can Read.
func Preprocess(ctx context.Context, name string, text []byte, o Options) (out []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			out, err = nil, fmt.Errorf("preprocessing %s: the parser failed: %v", name, p)
		}
	}()
	var b bytes.Buffer
	pragma := func(tokens []cc.Token) {
		words := Words(tokens)
		if len(words) > 0 && (words[0] == "pack" || words[0] == "scalar_storage_order") {
			fmt.Fprintf(&b, "\n#pragma %s\n", strings.Join(words, " "))
		}
	}
	config, err := o.configuration(pragma)
	if err != nil {
		return nil, err
	}
	err = cc.Preprocess(config, []cc.Source{
		{Name: "<predefined>", Value: o.predefined()},
		{Name: "<begin>", Value: preprocessedFrom + "\n"},
		{Name: included, Value: o.included()},
		{Name: name, Value: New(name, text).Text},
	}, &b)
	if err != nil {
		return nil, parserErrors(name, err)
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("preprocessing %s: %w", name, err)
	}
	_, out, found := bytes.Cut(b.Bytes(), []byte(preprocessedFrom))
	if !found {
		return nil, fmt.Errorf("preprocessing %s: its beginning is lost", name)
	}
	return unmarkUTF(bytes.TrimLeft(out, "\n")), nil
}

// Words returns the tokens of a pragma without white space.
func Words(tokens []cc.Token) []string {
	var words []string
	for _, t := range tokens {
		if s := strings.TrimSpace(t.SrcStr()); s != "" {
			words = append(words, s)
		}
	}
	return words
}

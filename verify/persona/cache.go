package persona

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/frontend/smtlib"
	"hornbeam/internal/smt"
)

// The size of the cache: the oldest answers go when there are more than mostAnswers, and none is kept with more than mostBytes.
const (
	mostAnswers = 100
	mostBytes   = 1 << 20
)

// entry is the file of the answer about a script: its name depends on the clauses alone, and not on where they stand.
func (p *persona) entry(script *smtlib.Script) string {
	if p.Cache == "" {
		return ""
	}
	h := sha256.New()
	h.Write([]byte(p.Version))
	if err := chc.Write(h, script.System); err != nil {
		return ""
	}
	return filepath.Join(p.Cache, hex.EncodeToString(h.Sum(nil))+".witness")
}

// cached returns the answer of an earlier call, whose witness it checks. The least model is none where a model is to be printed.
func (p *persona) cached(ctx context.Context, script *smtlib.Script) (engine.Answer, bool) {
	name := p.entry(script)
	if name == "" {
		return engine.Answer{}, false
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return engine.Answer{}, false
	}
	model, refutation, err := smtlib.ReadWitness(name, text, script)
	switch {
	case err != nil:
		return engine.Answer{}, false
	case model != nil && model.Least && p.model:
		return engine.Answer{}, false
	case refutation != nil:
		err = witness.CheckRefutation(ctx, script.System, refutation)
		return engine.Answer{Verdict: engine.Unsat, Refutation: refutation}, err == nil
	}
	err = witness.CheckModel(ctx, p.Solver.Open, script.System, model, smt.Limit{})
	return engine.Answer{Verdict: engine.Sat, Model: model}, err == nil
}

// keep writes an answer for later calls. A cache that cannot be written is none.
func (p *persona) keep(script *smtlib.Script, a engine.Answer) {
	name := p.entry(script)
	if name == "" || a.Verdict == engine.Unknown {
		return
	}
	var text bytes.Buffer
	var err error
	if a.Verdict == engine.Sat {
		err = witness.PrintModel(&text, script.DeclaredSystem(), a.Model)
	} else {
		err = witness.PrintRefutation(&text, script.System, a.Refutation)
	}
	if err != nil || text.Len() > mostBytes || os.MkdirAll(p.Cache, 0o700) != nil {
		return
	}
	// A reader sees the whole file or none.
	file, err := os.CreateTemp(p.Cache, "*.tmp")
	if err != nil {
		return
	}
	_, err = file.Write(text.Bytes())
	if err = cmp.Or(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), name)
	}
	if err != nil {
		_ = os.Remove(file.Name())
		return
	}
	p.forget()
}

// forget removes the oldest answers where there are too many.
func (p *persona) forget() {
	files, err := filepath.Glob(filepath.Join(p.Cache, "*.witness"))
	if err != nil || len(files) <= mostAnswers {
		return
	}
	age := map[string]int64{}
	for _, f := range files {
		if info, err := os.Stat(f); err == nil {
			age[f] = info.ModTime().UnixNano()
		}
	}
	slices.SortFunc(files, func(a, b string) int { return cmp.Compare(age[a], age[b]) })
	for _, f := range files[:len(files)-mostAnswers] {
		_ = os.Remove(f)
	}
}

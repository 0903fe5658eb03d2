package smtlib

import (
	"bytes"
	"slices"

	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// recursive is a function of a define-fun-rec or define-funs-rec, found but not read yet.
type recursive struct {
	id  symbolID
	off int
	// head and body are the lexer's states before the parameters and before the body.
	head, body lexer
	fn         *function
}

// defineFunRec notes the `(define-fun-rec name (parameters) sort body)` that opens at open; the current token is the
// command.
func (r *reader) defineFunRec(open int) recursive {
	d := r.recursiveHead()
	r.parametersAhead()
	r.sort()
	d.body = r.lexer
	r.skip(open)
	return d
}

// defineFunsRec notes the functions of `(define-funs-rec ((name (parameters) sort)…) (body…))`, which opens at open; the
// current token is the command.
func (r *reader) defineFunsRec(open int) []recursive {
	r.expect(tokOpen, "before the functions")
	var ds []recursive
	r.list("a function (name (parameters) sort)", func() {
		at := r.off
		ds = append(ds, r.recursiveHead())
		r.skip(at)
	})
	r.expect(tokOpen, "before the bodies")
	list := r.off
	n := 0
	for {
		before := r.lexer
		r.next()
		if r.kind == tokClose {
			break
		}
		switch {
		case r.kind == tokEOF:
			r.unclosed(list)
		case n == len(ds):
			r.fail(r.off, "there are more bodies than the %d functions", len(ds))
		case r.kind == tokOpen:
			r.skip(r.off)
		}
		ds[n].body = before
		n++
	}
	if n < len(ds) {
		r.fail(list, "there are %d bodies for %d functions", n, len(ds))
	}
	r.next()
	if r.kind != tokClose {
		r.unclosed(open)
	}
	return ds
}

func (r *reader) recursiveHead() recursive {
	var d recursive
	d.id, d.off = r.newSymbol("a function name")
	d.head = r.lexer
	return d
}

// parametersAhead reads parameters without keeping them in scope.
func (r *reader) parametersAhead() []*term.Term {
	trail := len(r.trail)
	params := r.parameters()
	r.forget(params, trail)
	return params
}

// forget ends the scope of parameters that were bound since the trail had length trail.
func (r *reader) forget(params []*term.Term, trail int) {
	for _, p := range params {
		r.active[p]--
	}
	r.restore(trail)
}

// declareRecursive makes the functions known, so that their own bodies and other definitions can apply them.
func (r *reader) declareRecursive(ds []recursive) {
	for i := range ds {
		d := &ds[i]
		r.lexer = d.head
		params := r.parametersAhead()
		f := &function{kind: definedFunc, rng: r.sort()}
		for _, p := range params {
			f.domain = append(f.domain, p.Sort())
		}
		f.fn = r.pool.DeclareFunc(r.at(d.id).name, f.domain, f.rng)
		d.fn = f
		delete(r.pending, d.id)
		if old := r.at(d.id).fn; old != nil && old.kind == operatorFunc {
			r.at(d.id).fn = nil // a definition may be called like an operator
		}
		r.declare(d.id, d.off, f)
	}
}

// defineRecursive reads the bodies. A function without parameters is not recursive and stays for the model checker to
// refuse.
func (r *reader) defineRecursive(ds []recursive) []witness.Definition {
	var out []witness.Definition
	for _, d := range ds {
		clear(r.atoms)
		clear(r.taken)
		r.commandOff = d.off
		trail := len(r.trail)
		r.lexer = d.head
		params := r.parameters()
		r.lexer = d.body
		body := r.coerce(r.term(inner), d.fn.rng, "the body")
		r.forget(params, trail)
		out = append(out, witness.Definition{Func: d.fn.fn, Params: params, Body: body})
	}
	return out
}

// lemmas reads the comments of a printed model that hold lemmas.
func (r *reader) lemmas() []witness.Lemma {
	var out []witness.Lemma
	whole := r.lexer
	defer func() { r.lexer = whole }()
	src := whole.src
	for at := 0; at < len(src); {
		end, next := lineAt(&whole, at)
		text, ok := bytes.CutPrefix(src[at:end], []byte(witness.LemmaComment))
		if !ok {
			at = next
			continue
		}
		// What stands before the lemma is blanked, so that errors are where the lemma is.
		blank := slices.Clone(src[:at+len(witness.LemmaComment)])
		for i, c := range blank {
			if c != '\n' && c != '\r' {
				blank[i] = ' '
			}
		}
		formula := append(blank, text...)
		for at = next; at < len(src); at = next {
			before := src[end:at]
			end, next = lineAt(&whole, at)
			more, ok := bytes.CutPrefix(src[at:end], []byte(witness.LemmaContinued))
			if !ok {
				break
			}
			formula = append(append(formula, before...), more...)
		}
		r.lexer = newLexer(whole.file, formula)
		out = append(out, r.lemma())
	}
	return out
}

// lineAt returns the offsets of the end of the line that begins at the offset, and of the next line.
func lineAt(lx *lexer, at int) (end, next int) {
	end = lx.lineEnd(at)
	next = end
	if next < len(lx.src) && lx.src[next] == '\r' {
		next++
	}
	if next < len(lx.src) && lx.src[next] == '\n' && (next == end || lx.src[end] == '\r') {
		next++
	}
	return end, next
}

// lemma reads `(forall ((name sort)…) formula)`, all of the lexer's source.
func (r *reader) lemma() witness.Lemma {
	clear(r.atoms)
	clear(r.taken)
	r.expect(tokOpen, "before a lemma")
	r.commandOff = r.off
	r.expectWord("forall")
	trail := len(r.trail)
	params := r.parameters()
	body := r.coerce(r.term(inner), term.Bool, "the lemma")
	r.forget(params, trail)
	r.expect(tokClose, "after the lemma")
	if r.next(); r.kind != tokEOF {
		r.fail(r.off, "expected the end of the lemma, got %s", r.what())
	}
	return witness.Lemma{Vars: params, Body: body}
}

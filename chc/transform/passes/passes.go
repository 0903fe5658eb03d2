package passes

import (
	"fmt"
	"slices"
	"strings"

	"hornbeam/chc/transform"
	"hornbeam/chc/transform/accelerate"
	"hornbeam/chc/transform/assume"
	"hornbeam/chc/transform/calls"
	"hornbeam/chc/transform/cells"
	"hornbeam/chc/transform/codes"
	"hornbeam/chc/transform/constructors"
	"hornbeam/chc/transform/demand"
	"hornbeam/chc/transform/expand"
	"hornbeam/chc/transform/flatten"
	"hornbeam/chc/transform/folds"
	"hornbeam/chc/transform/guard"
	"hornbeam/chc/transform/inline"
	"hornbeam/chc/transform/intblast"
	"hornbeam/chc/transform/masks"
	"hornbeam/chc/transform/peano"
	"hornbeam/chc/transform/prune"
	"hornbeam/chc/transform/simplify"
	"hornbeam/chc/transform/specialise"
	"hornbeam/chc/transform/sums"
	"hornbeam/chc/transform/unwrap"
	"hornbeam/chc/transform/variants"
)

// All returns every pass in the order in which Pipeline is meant to run them.
func All() []transform.Pass {
	return []transform.Pass{
		guard.Determined(),
		guard.Selectors(),
		guard.Divisions(),
		peano.Pass(),
		flatten.Pass(),
		constructors.Pass(),
		intblast.Pass(),
		specialise.Pass(),
		prune.HavocArrays(),
		simplify.Normalise(),
		prune.ConeOfInfluence(),
		simplify.Subsume(),
		prune.Constants(),
		prune.Slice(),
		expand.Constant(),
		expand.Carried(),
		prune.FreeArguments(),
		masks.Pass(),
		inline.Pass(),
		calls.Pass(),
		prune.Context(),
		demand.Pass(),
		prune.Flow(Default),
		assume.Pass(),
		codes.Pass(),
		specialise.States(Default),
		simplify.UnsatBodies(),
		sums.Pass(),
		unwrap.Pass(),
		folds.Pass(),
		prune.ForgetArrays(),
		prune.ForgetFirst(),
		cells.Pass(Default),
		cells.Pairs(Default),
		cells.Apart(Default),
		cells.Companions(Default),
		variants.Pass(Default),
		specialise.Residues(Default),
		simplify.Merge(),
		accelerate.Pass(),
	}
}

// optional are the passes that Default leaves out: variants for engines that profit from another shape of clauses.
var optional = map[string]bool{"accelerate": true, "assume-safe": true, "codes": true, "demand": true, "determined": true, "flow": true, "folds": true, "forget-arrays": true, "int-blast": true, "cells": true, "cell-pairs": true, "cells-apart": true, "cell-companions": true, "forget-first": true,
	"havoc-arrays": true, "residues": true, "states": true, "sums": true, "unwrap": true, "variants": true}

// Default returns the passes that run when none are selected.
func Default() []transform.Pass {
	var ps []transform.Pass
	for _, p := range All() {
		if !optional[p.Name] {
			ps = append(ps, p)
		}
	}
	return ps
}

// Select reads a comma-separated list of pass names. A list that begins with -NAME starts from the default passes, any
// other from none; NAME adds a pass, -NAME removes one, and `default`, `all` and `none` add the default passes, add all
// and remove all. The result is in the order of Passes.
func Select(names string) ([]transform.Pass, error) {
	all := All()
	known := map[string]bool{}
	for _, p := range all {
		known[p.Name] = true
	}
	chosen := map[string]bool{}
	add := func(ps []transform.Pass) {
		for _, p := range ps {
			chosen[p.Name] = true
		}
	}
	for i, word := range strings.Split(names, ",") {
		word = strings.TrimSpace(word)
		name, remove := strings.CutPrefix(word, "-")
		if i == 0 && remove {
			add(Default())
		}
		switch {
		case word == "" || word == "none":
			clear(chosen)
		case word == "default":
			add(Default())
		case word == "all":
			add(all)
		case !known[name]:
			return nil, fmt.Errorf("no preprocessing pass is called %q", name)
		case remove:
			delete(chosen, name)
		default:
			chosen[name] = true
		}
	}
	var ps []transform.Pass
	for _, p := range all {
		if chosen[p.Name] {
			ps = append(ps, p)
		}
	}
	return ps, nil
}

// AutoBlocks is the word for no block operator: predicates are kept where clauses would grow much without them.
const AutoBlocks = "auto"

// CheckBlocks returns the error of WithBlocks for a word.
func CheckBlocks(word string) error {
	_, err := WithBlocks(nil, word)
	return err
}

// WithBlocks returns passes in which a block operator takes the place of inline: the word is one of inline.Blocks, "single", which
// keeps every predicate, or AutoBlocks or "", which change nothing. The error is for another word.
func WithBlocks(ps []transform.Pass, word string) ([]transform.Pass, error) {
	at := slices.IndexFunc(ps, func(p transform.Pass) bool { return p.Name == inline.Pass().Name })
	switch word {
	case "", AutoBlocks:
		return ps, nil
	case "single":
		return slices.DeleteFunc(slices.Clone(ps), func(p transform.Pass) bool { return p.Name == inline.Pass().Name }), nil
	}
	blocks, err := inline.Blocks(word)
	if err != nil || at < 0 {
		return ps, err
	}
	out := slices.Clone(ps)
	out[at] = blocks
	return out, nil
}

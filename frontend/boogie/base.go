package boogie

import (
	_ "embed"
	"strings"
	"sync"

	"hornbeam/frontend/boogie/ast"
)

// baseLibrary declares what programs may use without declaring it.
//
//go:embed library/base.bpl
var baseLibrary string

// libraryNames has the name spaces in which the library declares names.
var libraryNames = sync.OnceValue(func() map[string][]nameSpace {
	library, err := parseLibrary()
	if err != nil {
		panic(err) // a test reads it
	}
	names := map[string][]nameSpace{}
	for space, declared := range newPruner(library).declared {
		for name := range declared {
			names[name] = append(names[name], nameSpace(space))
		}
	}
	return names
})

// parseLibrary reads the library; each program gets a tree of its own.
func parseLibrary() (*ast.Program, error) {
	return parse("base library", []byte(baseLibrary), Options{Dialect: DialectBoogie})
}

// addLibrary adds what a program uses of the library but does not declare, with all that this depends on. It adds nothing
// when the program has declarations of its own for some of that.
func addLibrary(p *ast.Program, src string) error {
	if p.Dialect != ast.Boogie {
		return nil
	}
	var program *pruner
	wanted := map[string][]nameSpace{}
	for name, spaces := range libraryNames() {
		if !strings.Contains(src, name) {
			continue
		}
		if program == nil {
			program = newPruner(p)
			for _, d := range p.Declarations {
				program.keep(d)
			}
			program.run()
		}
		for _, space := range spaces {
			if program.marked[space][name] && len(program.declared[space][name]) == 0 {
				wanted[name] = append(wanted[name], space)
			}
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	library, err := parseLibrary()
	if err != nil {
		return err
	}
	pr := newPruner(library)
	clear(pr.kept) // axioms about nothing that is declared
	pr.work = nil
	for name, spaces := range wanted {
		for _, space := range spaces {
			pr.mark(space, name)
		}
	}
	pr.run()
	for space, marked := range pr.marked {
		for name := range marked {
			if len(pr.declared[space][name]) > 0 && len(program.declared[space][name]) > 0 {
				return nil
			}
		}
	}
	for _, d := range library.Declarations {
		if pr.kept[d] {
			p.Declarations = append(p.Declarations, d)
		}
	}
	return nil
}

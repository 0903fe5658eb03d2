package read

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"hornbeam/frontend/c/acsl"
	"hornbeam/frontend/c/source"
	"hornbeam/frontend/c/tree"
)

// unit is one translation unit of the program, parsed.
type unit struct {
	text     *source.Text
	ast      *cc.AST
	packings []packing
	// annotations are in the order of the text.
	annotations []acsl.Comment
	acsl        bool           // whether comments are read
	left        []acsl.Comment // those that may not be compiled, which are not read
	weakNames   map[string]bool
	// bodies are the names of the functions that it defines, internal the names at file scope that are static.
	bodies, internal map[string]bool
	// shapes are the keys of the structs and unions that it defines outside of functions, by their tags.
	shapes map[string]string
	// met has the shared records whose definition was met in this unit, occurrences how often keys of records without tags were.
	met         map[*record]bool
	occurrences map[string]int
}

// linkage is what units share and what they keep apart.
type linkage struct {
	*unit
	// shapes are the records of all units so far, by the text of their definitions, tags the first record of each tag.
	shapes, tags map[string]*record
	// predeclared is the scope behind what is declared before every program.
	predeclared *scope
	functions   []*tree.Function // with internal linkage
	files       map[any]string   // of functions and objects with internal linkage: the file of their unit
	definedIn   map[*tree.Function]*unit
	yields      map[*tree.Function]bool // whose definition is inline or weak: another unit's replaces it
}

// parse parses the units of a program. The error is report.Errors.
func (r *reader) parse(units []source.Unit) ([]*unit, error) {
	var out []*unit
	for _, u := range units {
		r.source, r.packings, r.weakNames = source.New(u.Name, u.Text), nil, nil
		r.source.Places(u.Options)
		ast, err := source.Parse(r.source, u.Options, prelude+atomics+builtinDeclarations, r.pragma)
		if err != nil {
			return nil, err
		}
		own := &unit{
			text: r.source, ast: ast, packings: r.packings, weakNames: r.weakNames, bodies: bodies(ast), internal: internal(ast),
			met: map[*record]bool{}, occurrences: map[string]int{}, annotations: r.source.Clauses, acsl: u.Options.ACSL,
		}
		if u.Options.ACSL {
			own.annotations = slices.Concat(own.annotations, acsl.Comments(u.Name, r.source.Text))
			slices.SortStableFunc(own.annotations, func(a, b acsl.Comment) int { return a.Begin.Compare(b.Begin) })
		}
		own.annotations, own.left = own.compiled(u.Name, r.source.Text, own.annotations)
		out = append(out, own)
	}
	if len(out) > 1 {
		r.linkage = &linkage{
			shapes: map[string]*record{}, tags: map[string]*record{}, files: map[any]string{},
			definedIn: map[*tree.Function]*unit{}, yields: map[*tree.Function]bool{},
		}
		for _, u := range out {
			u.shapes = map[string]string{}
			for l := u.ast.TranslationUnit; l != nil; l = l.TranslationUnit {
				for s := specifiersOf(l.ExternalDeclaration); s != nil; s = s.DeclarationSpecifiers {
					if s.TypeSpecifier != nil {
						u.findShapes(s.TypeSpecifier)
					}
				}
			}
		}
	}
	return out, nil
}

// compiled divides the annotations in a file of the unit into those that the preprocessor does not leave out with the text around them,
// and the others.
func (u *unit) compiled(file string, text []byte, all []acsl.Comment) (counting, left []acsl.Comment) {
	if len(all) == 0 {
		return nil, nil
	}
	return acsl.Compiled(all, acsl.Groups(text), func() map[int]bool {
		lines := map[int]bool{}
		for l := u.ast.TranslationUnit; l != nil; l = l.TranslationUnit {
			for _, t := range cc.NodeTokens(l.ExternalDeclaration) {
				if p := t.Position(); p.Filename == file {
					lines[p.Line] = true
				}
			}
		}
		return lines
	})
}

// specifiersOf are the specifiers that a declaration at file scope begins with; nil if there are none.
func specifiersOf(n *cc.ExternalDeclaration) *cc.DeclarationSpecifiers {
	switch {
	case n == nil:
	case n.Case == cc.ExternalDeclarationFuncDef:
		return n.FunctionDefinition.DeclarationSpecifiers
	case n.Case == cc.ExternalDeclarationDecl && n.Declaration.Case == cc.DeclarationDecl:
		return n.Declaration.DeclarationSpecifiers
	}
	return nil
}

// internal are the names that a translation unit declares static at file scope.
func internal(ast *cc.AST) map[string]bool {
	out := map[string]bool{}
	for l := ast.TranslationUnit; l != nil; l = l.TranslationUnit {
		static := false
		for s := specifiersOf(l.ExternalDeclaration); s != nil; s = s.DeclarationSpecifiers {
			static = static || s.StorageClassSpecifier != nil && s.StorageClassSpecifier.Case == cc.StorageClassSpecifierStatic
		}
		switch n := l.ExternalDeclaration; {
		case !static:
		case n.Case == cc.ExternalDeclarationFuncDef:
			out[n.FunctionDefinition.Declarator.Name()] = true
		default:
			for i := n.Declaration.InitDeclaratorList; i != nil; i = i.InitDeclaratorList {
				out[i.InitDeclarator.Declarator.Name()] = true
			}
		}
	}
	return out
}

// findShapes notes the tags that a specifier defines.
func (u *unit) findShapes(n *cc.TypeSpecifier) {
	s := n.StructOrUnionSpecifier
	if s == nil || s.Case != cc.StructOrUnionSpecifierDef {
		return
	}
	if s.Token.Ch != 0 {
		u.shapes[s.Token.SrcStr()] = shape(s)
	}
	for l := s.StructDeclarationList; l != nil; l = l.StructDeclarationList {
		if l.StructDeclaration == nil {
			continue
		}
		for q := l.StructDeclaration.SpecifierQualifierList; q != nil; q = q.SpecifierQualifierList {
			if q.TypeSpecifier != nil {
				u.findShapes(q.TypeSpecifier)
			}
		}
	}
}

// shape is the text of a definition of a struct or union, macros expanded.
func shape(n *cc.StructOrUnionSpecifier) string {
	var words []string
	for _, t := range cc.NodeTokens(n) {
		words = append(words, t.SrcStr())
	}
	return strings.Join(words, " ")
}

// beginUnit makes a unit the one that is being read. What it declares static hides what others declare by these names until it ends.
func (r *reader) beginUnit(u *unit, all []*unit) (end func()) {
	r.source, r.packings, r.weakNames, r.bodies = u.text, u.packings, u.weakNames, u.bodies
	r.annotations, r.macros = u.annotations, u.ast.Macros
	r.reading, r.headers = u, nil
	for _, c := range u.left {
		r.out.PassedOver = append(r.out.PassedOver, r.source.Place(r.source.Original(c.Begin)).String()+": an annotation between directives without code")
	}
	if u.acsl {
		r.headers = map[string][]acsl.Comment{}
	}
	if r.linkage == nil {
		return func() {}
	}
	r.linkage.unit = u
	r.bodies = maps.Clone(u.bodies)
	for _, other := range all {
		for name := range other.bodies {
			if !other.internal[name] {
				r.bodies[name] = true
			}
		}
	}
	if p := r.linkage.predeclared; p != nil {
		r.scope = &scope{names: maps.Clone(p.names), tags: maps.Clone(p.tags)}
	}
	names := slices.Sorted(maps.Keys(u.internal))
	functions, globals := map[string]*tree.Function{}, map[string]*tree.Object{}
	for _, name := range names {
		if f := r.functions[name]; f != nil {
			functions[name] = f
			delete(r.functions, name)
		}
		if o := r.globals[name]; o != nil {
			globals[name] = o
			delete(r.globals, name)
		}
	}
	return func() {
		for _, name := range names {
			if f := r.functions[name]; f != nil {
				r.linkage.functions = append(r.linkage.functions, f)
				r.linkage.files[f] = u.text.Name
				delete(r.functions, name)
			}
			if o := r.globals[name]; o != nil {
				r.linkage.files[o] = u.text.Name
				delete(r.globals, name)
			}
		}
		maps.Copy(r.functions, functions)
		maps.Copy(r.globals, globals)
	}
}

// nameInternal gives static functions names of their own where other units have functions of the same names.
func (r *reader) nameInternal() {
	if r.linkage == nil {
		return
	}
	taken := map[string]bool{}
	for _, f := range r.out.Functions {
		if r.linkage.files[f] == "" {
			taken[f.Name] = true
		}
	}
	for _, f := range r.linkage.functions {
		if !taken[f.Name] {
			taken[f.Name] = true
			continue
		}
		base := filepath.Base(r.linkage.files[f])
		stem := f.Name + "." + strings.Map(func(c rune) rune {
			if c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' {
				return c
			}
			return '_'
		}, strings.TrimSuffix(base, filepath.Ext(base)))
		f.Name = stem
		for n := 2; taken[f.Name]; n++ {
			f.Name = fmt.Sprintf("%s.%d", stem, n)
		}
		taken[f.Name] = true
	}
}

// isInternal tells whether a function or an object belongs to one of several units only.
func (r *reader) isInternal(x any) bool { return r.linkage != nil && r.linkage.files[x] != "" }

// elsewhere says where something is that was read before, if that is another file than the one of a place.
func elsewhere(before, at tree.Pos) string {
	if before.File == at.File {
		return ""
	}
	return " at " + before.String()
}

// before is like elsewhere of something that was there before.
func before(first, at tree.Pos) string {
	if first.File == at.File {
		return ""
	}
	return ": first at " + first.String()
}

// keepsOther tells whether a definition of a function is to be passed over, because another unit has one that it yields to.
func (r *reader) keepsOther(f *tree.Function, s specifiers) bool {
	l := r.linkage
	if l == nil {
		return false
	}
	yields := s.inline && !s.static || s.weak
	if f.Body != nil && l.definedIn[f] != l.unit {
		if yields {
			return true
		}
		if l.yields[f] {
			r.replaced[f], f.Weak = true, false
		}
	}
	l.definedIn[f], l.yields[f] = l.unit, yields
	return false
}

// sharedTag is the record of another unit that a tag means which this unit has not declared; nil if there is none.
func (r *reader) sharedTag(tag string, union bool) *record {
	if r.linkage == nil || r.function != nil {
		return nil
	}
	rec := r.linkage.tags[tag]
	if key, defined := r.linkage.unit.shapes[tag]; defined {
		switch other := r.linkage.shapes[key]; {
		case other != nil:
			rec = other
		case rec != nil && rec.Complete:
			return nil // a struct of another unit that has only the tag in common
		}
	}
	if rec == nil || rec.Union != union {
		return nil
	}
	r.declareTag(tag, rec)
	return rec
}

// noteTag notes a record by its tag for other units.
func (r *reader) noteTag(rec *record) {
	if r.linkage != nil && r.function == nil && rec.Tag != "" && r.linkage.tags[rec.Tag] == nil {
		r.linkage.tags[rec.Tag] = rec
	}
}

// shapeOf is the key of a definition: that of units that include one header is the same.
func (r *reader) shapeOf(n *cc.StructOrUnionSpecifier) string {
	key := shape(n)
	if n.Token.Ch != 0 {
		return key
	}
	if p := n.Position(); p.Filename != r.source.Name {
		key += " " + p.String()
	}
	u := r.linkage.unit
	u.occurrences[key]++
	return fmt.Sprintf("%s #%d", key, u.occurrences[key])
}

// sameMembers tells whether two records have the same members at the same places.
func sameMembers(a, b *record) bool {
	if a.Size() != b.Size() || a.Align() != b.Align() || len(a.members) != len(b.members) {
		return false
	}
	for i, m := range a.members {
		n := b.members[i]
		if m.name != n.name || m.bits != n.bits || m.offset != n.offset || (m.anonymous != nil) != (n.anonymous != nil) {
			return false
		}
		if m.anonymous != nil && m.anonymous != n.anonymous {
			if !sameMembers(m.anonymous, n.anonymous) {
				return false
			}
			continue
		}
		if !compatible(m.typ, n.typ) {
			return false
		}
	}
	return true
}

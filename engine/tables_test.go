package engine_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/engine"
	"hornbeam/engine/abstraction"
	"hornbeam/engine/affine"
	"hornbeam/engine/catamorphism"
	"hornbeam/engine/houdini"
	"hornbeam/engine/indices"
	"hornbeam/engine/inline"
	"hornbeam/engine/narrow"
	"hornbeam/engine/walk"
	"hornbeam/spacer"
)

// engines are the engines with options of their own, by the folder of their package.
var engines = map[string][]engine.Engine{
	"abstraction": {abstraction.Impact(), abstraction.Predicates()}, "affine": {affine.Engine()}, "catamorphism": {catamorphism.Engine(nil)},
	"houdini": {houdini.Engine()}, "indices": {indices.Engine(nil)}, "inline": {inline.Engine(), inline.BMC(), inline.KInduction()}, "narrow": {narrow.Engine()}, "walk": {walk.Engine()}, "../spacer": {spacer.Engine()},
}

// other is a value that an option allows and that is not the default.
func other(o engine.Option) string {
	for _, c := range o.Choices {
		if c != o.Default {
			return c
		}
	}
	switch o.Kind {
	case "bool":
		return strconv.FormatBool(o.Default != "true")
	case "int":
		n, _ := strconv.Atoi(o.Default)
		if o.Validate(strconv.Itoa(n+1)) == nil {
			return strconv.Itoa(n + 1)
		}
		return strconv.Itoa(n - 1)
	case "duration":
		return "17s"
	}
	return "another"
}

// TestOptionsReachTheirFields walks every engine's table: each option has a field of its own, a sentence and a default that
// is allowed, and Bind sets that field and no other.
func TestOptionsReachTheirFields(t *testing.T) {
	for _, e := range slices.Concat(slices.Collect(maps.Values(engines))...) {
		names := map[string]bool{}
		table := e.Options
		values := func() []any {
			var out []any
			for _, o := range table {
				out = append(out, reflect.ValueOf(o.Field).Elem().Interface())
			}
			return out
		}
		for i, o := range table {
			require.False(t, names[o.Name], o.Name)
			names[o.Name] = true
			require.NotNil(t, o.Field, o.Name)
			require.NotEmpty(t, o.Kind, o.Name)
			require.NotEmpty(t, o.Doc, o.Name)
			require.NoError(t, o.Validate(o.Default), o.Name)
			for _, c := range o.Choices {
				require.NoError(t, o.Validate(c), o.Name)
			}
			require.NoError(t, engine.Bind(table, nil))
			before := values()
			require.NoError(t, engine.Bind(table, map[string]string{o.Name: other(o)}))
			for k, v := range values() {
				require.Equal(t, k == i, v != before[k], "%s sets %s", o.Name, table[k].Name)
			}
		}
	}
}

// TestOptionsAreRead finds the fields that a table binds and looks for code that reads each of them: an option that nothing
// reads has no effect.
func TestOptionsAreRead(t *testing.T) {
	for folder, all := range engines {
		bound, read := fieldsOf(t, folder)
		names := map[string]bool{}
		for _, e := range all {
			for _, o := range e.Options {
				names[o.Name] = true
			}
		}
		require.Len(t, bound, len(names), folder)
		for name, field := range bound {
			require.True(t, read[field], "nothing reads the field %s of %s", field, name)
		}
	}
}

// fieldsOf are the fields that the rows of a package's table bind, by option, and the fields that its code selects elsewhere.
func fieldsOf(t *testing.T, folder string) (bound map[string]string, read map[string]bool) {
	bound, read = map[string]string{}, map[string]bool{}
	err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			if name, field, ok := row(n); ok {
				bound[name] = field
				return false
			}
			if s, ok := n.(*ast.SelectorExpr); ok {
				read[s.Sel.Name] = true
			}
			return true
		})
		return nil
	})
	require.NoError(t, err)
	return bound, read
}

// row reads a row of a table, engine.Option{Name: "…", Field: &o.field, …}.
func row(n ast.Node) (name, field string, ok bool) {
	lit, _ := n.(*ast.CompositeLit)
	if lit == nil {
		return "", "", false
	}
	for _, e := range lit.Elts {
		kv, _ := e.(*ast.KeyValueExpr)
		if kv == nil {
			continue
		}
		key, _ := kv.Key.(*ast.Ident)
		switch v := kv.Value.(type) {
		case *ast.BasicLit:
			if key != nil && key.Name == "Name" {
				name, _ = strconv.Unquote(v.Value)
			}
		case *ast.UnaryExpr:
			if s, isField := v.X.(*ast.SelectorExpr); isField && key != nil && key.Name == "Field" {
				field = s.Sel.Name
			}
		}
	}
	return name, field, name != "" && field != ""
}

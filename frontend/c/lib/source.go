package lib

import (
	"embed"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// files are the definitions of C's library. Each begins with its type at the first column and ends with a brace that ends its line
// and, if there are several lines, begins it. It uses only what is declared in library.h or defined before it.
//
//go:embed source
var files embed.FS

// Definition is the definition of one function in C.
type Definition struct {
	Name, Text string
	// uses are the definitions that this one needs, in order, directly or not.
	uses []int
}

// Head is the declaration that the definition begins with, without a semicolon.
func (d Definition) Head() string { return d.Text[:strings.Index(d.Text, " {")] }

// sources are all definitions, each behind those that it uses, the number of each by its name, and what is before them.
var sources = sync.OnceValues(func() ([]Definition, map[string]int) {
	var all []Definition
	numbers := map[string]int{}
	for _, file := range []string{"ctype.c", "string.c", "stdlib.c", "stdio.c"} {
		text := read(file)
		for _, m := range heads.FindAllStringSubmatchIndex(text, -1) {
			d := Definition{Name: text[m[2]:m[3]]}
			end := strings.Index(text[m[0]:], "}\n")
			if strings.HasSuffix(text[m[0]:m[1]], "{\n") {
				end = strings.Index(text[m[0]:], "\n}\n") + 1
			}
			d.Text = text[m[0] : m[0]+end+2]
			for _, word := range words.FindAllString(d.Text, -1) {
				if n, ok := numbers[word]; ok && word != d.Name {
					d.uses = append(append(d.uses, all[n].uses...), n)
				}
			}
			slices.Sort(d.uses)
			d.uses = slices.Compact(d.uses)
			numbers[d.Name] = len(all)
			all = append(all, d)
		}
	}
	return all, numbers
})

var (
	heads = regexp.MustCompile(`(?m)^[a-z_A-Z][\w \*]*?(\w+)\(.*\{.*\n`)
	words = regexp.MustCompile(`\w+`)
)

// read is the text of one of the embedded files.
func read(file string) string {
	text, err := files.ReadFile("source/" + file)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(text)
}

// Defined tells whether there is a definition in C of the function of C's library that has the name.
func Defined(name string) bool {
	_, numbers := sources()
	_, ok := numbers[name]
	return ok
}

// Definitions are all definitions, each behind those that it uses.
func Definitions() []Definition {
	all, _ := sources()
	return all
}

// Source is a text in C that defines the functions with the names, and all that they use. Names that nothing defines are left out.
func Source(names ...string) string {
	all, numbers := sources()
	var needed []int
	for _, name := range names {
		if n, ok := numbers[name]; ok {
			needed = append(append(needed, all[n].uses...), n)
		}
	}
	slices.Sort(needed)
	var b strings.Builder
	b.WriteString(read("library.h"))
	for _, n := range slices.Compact(needed) {
		b.WriteString(all[n].Text)
	}
	return b.String()
}

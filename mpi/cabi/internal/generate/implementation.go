package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
)

// implementation is a function that is written by hand, mpiFooBar for MPI_Foo_bar: it does what that does, with arguments that its
// export has converted. The types of its parameters and results say how.
type implementation struct {
	name            string
	params, results []string // types
	used            bool
}

// implementations are those of the Go files in a folder, by their names.
func implementations(folder string) (map[string]*implementation, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	all := map[string]*implementation{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") || filepath.Base(name) == exportsFile {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !strings.HasPrefix(f.Name.Name, "mpi") || f.Name.Name == strings.ToLower(f.Name.Name) {
				continue
			}
			all[f.Name.Name] = &implementation{name: f.Name.Name, params: typesOf(f.Type.Params), results: typesOf(f.Type.Results)}
		}
	}
	return all, nil
}

// typesOf are the types of parameters or results.
func typesOf(fields *ast.FieldList) (all []string) {
	if fields == nil {
		return nil
	}
	for _, f := range fields.List {
		for range max(1, len(f.Names)) {
			all = append(all, types.ExprString(f.Type))
		}
	}
	return all
}

// formType is the parameter of a function that does a collective operation in all three forms.
const formType = "core.Form"

// implementationOf is what an export calls, nil if there is nothing, and the form of a collective operation: MPI_Ibcast and
// MPI_Bcast_init call mpiBcast, too.
func implementationOf(all map[string]*implementation, export string) (i *implementation, form, operation string) {
	operation, form = export, "Blocking"
	if i = all[goName(export)]; i == nil {
		if base, ok := strings.CutSuffix(export, "_init"); ok {
			operation, form = base, "Persistent"
		} else if base, ok := strings.CutPrefix(export, "I"); ok && base != "" {
			operation, form = strings.ToUpper(base[:1])+base[1:], "Nonblocking"
		}
		if i = all[goName(operation)]; i == nil || !slices.Contains(i.params, formType) {
			return nil, "", ""
		}
	}
	if !slices.Contains(i.params, formType) {
		return i, "", ""
	}
	return i, form, camel(operation)
}

// goName is the name of the implementation of an export.
func goName(export string) string { return "mpi" + camel(export) }

// camel is a name of MPI as Go has it: FooBar for Foo_bar.
func camel(name string) string {
	words := strings.Split(name, "_")
	for i, w := range words {
		if w != "" {
			words[i] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return strings.Join(words, "")
}

// unused says which implementations no export calls, as their names are not those of functions of MPI.
func unused(all map[string]*implementation) error {
	var names []string
	for name, i := range all {
		if !i.used {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	return fmt.Errorf("no function of MPI in the table has the implementation %s", strings.Join(names, ", "))
}

package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
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

// variant is an implementation for one of the functions that it is for. Some are for many, whose names say how these differ: that is the
// value of a parameter, of a type of its own.
type variant struct {
	*implementation
	form    string // of a collective operation, a core.Form
	routine string // a collective operation, as package collective has it
	named   map[string]string
}

// variantOf is the implementation of an export, which is nil if there is none.
func variantOf(all map[string]*implementation, export string) variant {
	named := map[string]string{"symbol": fmt.Sprintf("%q", "MPI_"+export)}
	if m := sends.FindStringSubmatch(export); m != nil {
		named["rpi.Mode"] = "rpi." + modes[strings.ToLower(m[2])]
		return variant{implementation: all[sendFunctions[m[1]+m[3]]], named: named}
	}
	if m := accesses.FindStringSubmatch(export); m != nil {
		named["file.Access"] = access(m[2], m[3], m[4])
		if m[3] != "_at" {
			named["int64"] = "0" // the offset, which is the file pointer's
		}
		return variant{implementation: all[accessFunctions[m[1]+m[5]]], named: named}
	}
	if m := ofKinds.FindStringSubmatch(export); m != nil {
		named["handle.Kind"] = "handle." + cmp.Or(kindNames[m[1]], m[1])
		return variant{implementation: all[goName(m[2])], named: named}
	}
	operation, form := export, "core.Blocking"
	i := all[goName(export)]
	if i == nil {
		if base, ok := strings.CutSuffix(export, "_init"); ok {
			operation, form = base, "core.Persistent"
		} else if base, ok := strings.CutPrefix(export, "I"); ok && base != "" {
			operation, form = strings.ToUpper(base[:1])+base[1:], "core.Nonblocking"
		}
		if i = all[goName(operation)]; i == nil || !slices.Contains(i.params, "core.Form") {
			return variant{}
		}
	}
	if !slices.Contains(i.params, "core.Form") {
		return variant{implementation: i, named: named}
	}
	named["core.Form"] = form
	return variant{implementation: i, form: form, routine: camel(operation), named: named}
}

// sends are the functions that send, and sendFunctions are for all of them, in each of the modes.
var (
	sends         = regexp.MustCompile(`^(I?)([SsBbRr]?)[Ss]end(_init)?$`)
	sendFunctions = map[string]string{"": "mpiSend", "I": "mpiIsend", "_init": "mpiSendInit"}
	modes         = map[string]string{"": "Standard", "s": "Synchronous", "b": "Buffered", "r": "Ready"}
)

// ofKinds are the functions that are the same for several kinds of objects. Where the name of the function calls a kind otherwise than
// package handle does, kindNames has that.
var (
	ofKinds   = regexp.MustCompile(`^(Comm|Win|Type|File|Session)_((?:create|free)_keyval|(?:create|set|get|call)_errhandler)$`)
	kindNames = map[string]string{"Type": "Datatype"}
)

// accesses are the functions that read and write files, and accessFunctions are for all of them, by how they begin and end.
var (
	accesses        = regexp.MustCompile(`^File_(i?)(read|write)(_at|_shared)?(_all|_ordered)?(_begin|_end)?$`)
	accessFunctions = map[string]string{"": "mpiFileAccess", "i": "mpiFileIaccess", "_begin": "mpiFileBegin", "_end": "mpiFileEnd"}
)

// access is what a function does to a file, as package file has it.
func access(what, where, together string) string {
	var fields []string
	if what == "write" {
		fields = append(fields, "Write: true")
	}
	if together != "" {
		fields = append(fields, "Collective: true")
	}
	switch {
	case where == "_shared" || together == "_ordered":
		fields = append(fields, "Pointer: file.Shared")
	case where == "":
		fields = append(fields, "Pointer: file.Individual")
	}
	return "file.Access{" + strings.Join(fields, ", ") + "}"
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

package main

import (
	"bytes"
	"embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

const module = "github.com/sctpmpi/sctpmpi/"

// function is a function of the library that is traced. That of a literal is called as that around it, with a number.
type function struct{ pkg, file, name string }

func (f function) String() string { return path.Base(f.pkg) + "." + f.name }

// The program that is traced, and what notes the calls. They come into the copy outside of internal folders, as all packages
// are to import the latter.
//
//go:embed internal/probe/main.go internal/calls/calls.go internal/calls/linkname.s
var ours embed.FS

const (
	oursFrom = "cmd/internal/way/internal/"
	oursTo   = "way/"
)

// instrument builds the probe in a folder, of a copy of a checkout in which each function of the library notes its call. It
// returns the functions by their numbers.
func instrument(checkout, dir string) (program string, functions []function, err error) {
	list, err := run(checkout, nil, "go", "list", "-deps", "-f", `{{if .Module}}{{if .Module.Main}}{{$folder := .ImportPath}}`+
		`{{range .GoFiles}}{{$folder}}/{{.}}{{"\n"}}{{end}}{{range .SFiles}}{{$folder}}/{{.}}{{"\n"}}{{end}}{{end}}{{end}}`, "./mpi")
	if err != nil {
		return "", nil, err
	}
	put := func(name string, content []byte) error {
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return err
		}
		return os.WriteFile(to, content, 0o600)
	}
	for line := range strings.Lines("go.mod\ngo.sum\n" + list) {
		name := strings.TrimPrefix(strings.TrimSpace(line), module)
		content, err := os.ReadFile(filepath.Join(checkout, filepath.FromSlash(name)))
		if err == nil && path.Ext(name) == ".go" {
			content, err = note(name, content, &functions)
		}
		if err == nil {
			err = put(name, content)
		}
		if err != nil {
			return "", nil, err
		}
	}
	err = fs.WalkDir(ours, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		source, err := ours.ReadFile(name)
		if err != nil {
			return err
		}
		return put(oursTo+strings.TrimPrefix(name, "internal/"), bytes.ReplaceAll(source, []byte(oursFrom), []byte(oursTo)))
	})
	if err != nil {
		return "", nil, err
	}
	program = filepath.Join(dir, "way", "way")
	_, err = run(dir, nil, "go", "build", "-trimpath", "-o", program, "./way/probe")
	return program, functions, err
}

// note returns the source of a file in which each function notes its call. All stays in its line.
func note(fileName string, source []byte, functions *[]function) ([]byte, error) {
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, fileName, source, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return nil, err
	}
	var out []byte
	from := 0
	insert := func(at token.Pos, text string) {
		to := files.Position(at).Offset
		out, from = append(append(out, source[from:to]...), text...), to
	}
	insert(parsed.Name.End(), "; import waycalls "+strconv.Quote(module+oursTo+"calls"))
	for _, d := range parsed.Decls {
		f, is := d.(*ast.FuncDecl)
		if !is || f.Body == nil {
			continue
		}
		literals := 0
		enter := func(body *ast.BlockStmt, name string) {
			insert(body.Lbrace+1, fmt.Sprintf("defer waycalls.Enter(%d)();", len(*functions)))
			*functions = append(*functions, function{path.Dir(fileName), path.Base(fileName), name})
		}
		enter(f.Body, nameOf(f))
		ast.Inspect(f.Body, func(n ast.Node) bool {
			if l, is := n.(*ast.FuncLit); is {
				literals++
				enter(l.Body, fmt.Sprintf("%s.func%d", nameOf(f), literals))
			}
			return true
		})
	}
	return append(append(out, source[from:]...), "\nvar _ = waycalls.Enter\n"...), nil
}

// nameOf is the name of a function, with the type of its receiver.
func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	receiver, _, _ := strings.Cut(strings.TrimPrefix(types.ExprString(f.Recv.List[0].Type), "*"), "[") // of no parameters
	return receiver + "." + f.Name.Name
}

// run runs a program in a folder, with some variables, and returns its output.
func run(dir string, environment []string, name string, args ...string) (string, error) {
	c := exec.Command(name, args...)
	c.Dir, c.Env = dir, append(append(os.Environ(), "GOWORK=off"), environment...)
	out, err := c.Output()
	if exit, failed := err.(*exec.ExitError); failed {
		err = fmt.Errorf("%s: %w\n%s", strings.Join(c.Args, " "), err, exit.Stderr)
	}
	return string(out), err
}

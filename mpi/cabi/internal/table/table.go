// Package table is what the C face knows of MPI: its functions with their arguments, and its constants with the values that three
// ABIs give them. Names have no prefix MPI_.
package table

import (
	"cmp"

	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Function is a function of MPI.
type Function struct {
	Name    string // without the prefix MPI_, with MPIX_
	Chapter string
	Args    []Arg
	Export  string // the function of libsctpmpi.so that does it
	Result  string // the kind of what it returns, empty for an error code
	On      string // the kind whose default error handler counts, if no argument says it
	As      string // the collective routine that a rank with wrong arguments calls, so that no other waits for it
	Fails   string // the class of MPI_T of the error that it always returns, as the export has it
	Local   bool   // it is in C and has no export
	ByHand  bool   // its export is written by hand
	Large   bool   // counts have the type MPI_Count
	Removed bool   // the standard's ABI does not have it
}

// extension is the prefix of functions that are not in the standard.
const extension = "MPIX_"

// Extension is whether the function is not in the standard.
func (f Function) Extension() bool { return strings.HasPrefix(f.Name, extension) }

// Symbol is the whole name of the function in C.
func (f Function) Symbol() string {
	if f.Extension() {
		return f.Name
	}
	return "MPI_" + f.Name
}

// Constructs is whether the ranks of a communicator call the function together to make an object of their own. A rank with wrong
// arguments calls it too, so that none waits for it: the export sees to it, that results have a place among them.
func (f Function) Constructs() bool {
	var of, made bool
	for _, a := range f.Args {
		switch a.Kind {
		case "comm", "win", "file":
			of = of || a.Kind == "comm" && !a.Out
			made = made || a.Out && !a.In
		}
	}
	return of && made
}

// Arg is an argument of a function.
type Arg struct {
	Name, Kind string
	Out, In    bool   // what it points to: a result, a value
	Array      bool   //
	Length     string // of an array, empty where it does not matter
	Used       string // of a result's array, an argument with how many elements are set; empty for all
}

// Pointer is whether a single value is behind a pointer.
func (a Arg) Pointer() bool { return !a.Array && a.Out }

// Constant is a constant of MPI.
type Constant struct {
	Name, Kind          string
	Std, MPICH, OpenMPI *int64 // nil if the ABI has none; of Open MPI's handles, the number in Fortran
	Object              string // of which the address is Open MPI's handle; empty if it is none, or there is none
	Hidden              bool   // Std is the library's own number: the ABI has none
}

//go:embed functions.txt
var functions string

//go:embed constants.txt
var constants string

// Functions are all functions, the _c variants among them.
func Functions() []Function {
	var all []Function
	chapter := ""
	for line := range strings.Lines(functions) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "## "); ok {
			chapter = name
		} else if line != "" && line[0] != '#' {
			all = append(all, parse(line, all)...)
		}
		for i := range all {
			if all[i].Chapter == "" {
				all[i].Chapter = chapter
				all[i].Removed = strings.HasPrefix(chapter, "Removed")
			}
		}
	}
	return all
}

var shape = regexp.MustCompile(`^(\w+)(/c)?\((.*)\)(?: (double|\w+))??( local)?(?: on (\w+))?(?: as (\w+))?(?: fails (\w+))?( by hand)?$`)

// parse reads the line of a function. Functions before it are those it may be another name of.
func parse(line string, before []Function) []Function {
	if name, of, ok := strings.Cut(line, " = "); ok {
		i := slices.IndexFunc(before, func(f Function) bool { return f.Name == of })
		if i < 0 {
			panic(fmt.Sprintf("table: %s is no function before %s", of, name))
		}
		f := before[i]
		f.Name, f.Chapter = name, ""
		return []Function{f}
	}
	m := shape.FindStringSubmatch(line)
	if m == nil {
		panic("table: no function: " + line)
	}
	f := Function{Name: m[1], Export: strings.TrimPrefix(m[1], extension), Result: m[4], Local: m[5] != "", On: m[6], As: m[7], Fails: m[8], ByHand: m[9] != ""}
	for _, word := range strings.Fields(m[3]) {
		f.Args = append(f.Args, parseArg(word))
	}
	if m[2] == "" {
		return []Function{f}
	}
	large := f
	large.Name, large.Large = f.Name+"_c", true
	return []Function{f, large}
}

var argShape = regexp.MustCompile(`^(?:(\w+):)?([\w.]+)(\[([\w+]*)(?::(\w+))?\])?([*&]?)$`)

func parseArg(word string) Arg {
	if word == Rest {
		return Arg{Kind: Rest}
	}
	m := argShape.FindStringSubmatch(word)
	if m == nil {
		panic("table: no argument: " + word)
	}
	a := Arg{Name: m[1], Kind: m[2], Array: m[3] != "", Length: m[4], Used: m[5], Out: m[6] != "", In: m[6] == "&"}
	a.Name = cmp.Or(a.Name, a.Kind)
	return a
}

// Constants are all constants.
func Constants() []Constant {
	var all []Constant
	kind := ""
	for line := range strings.Lines(constants) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		if words[0] == "##" {
			kind = words[1]
			continue
		}
		c := Constant{Name: words[0], Kind: kind, Std: number(strings.Trim(words[1], "()")), MPICH: number(words[2]), Hidden: words[1][0] == '('}
		last := words[3]
		if object, ok := strings.CutPrefix(last, "&"); ok {
			c.Object, last, ok = strings.Cut(object, "/")
			if !ok {
				last = "-"
			}
		}
		c.OpenMPI = number(last)
		all = append(all, c)
	}
	return all
}

func number(word string) *int64 {
	if word == "-" {
		return nil
	}
	n, err := strconv.ParseInt(word, 0, 64)
	if err != nil {
		panic("table: no number: " + word)
	}
	return &n
}

// Package linkage finds out which MPI the file of a program has been linked with, and where the dynamic linker would take it from.
// What a program loads while it runs, as Python does, is in no file: of that nothing is known.
package linkage

import (
	"debug/elf"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// ABI is what programs of several MPI libraries have in common.
type ABI string

// The ABIs of MPI libraries. Those for which sctpmpi has a library have the names that mpirun --abi takes.
const (
	None     ABI = ""        // no MPI
	Standard ABI = "std"     // MPI 5.0, chapter 20
	MPICH    ABI = "mpich"   // MPICH from 3.1 on, and its derivatives
	OpenMPI  ABI = "openmpi" // Open MPI, any version
)

// Program is what is known of a program.
type Program struct {
	// File is what the kernel runs: the file itself or, of a script, the interpreter.
	File string
	// Dynamic: it has shared libraries. A program that is not Dynamic cannot load MPI while it runs either.
	Dynamic bool
	// MPI is the library of MPI that it needs, itself or by way of other libraries.
	MPI Library
	// Other is one of another ABI that it needs as well: it cannot work.
	Other Library
}

// Library is a shared library.
type Library struct {
	// Name is by what programs ask for it, such as libmpi.so.40; empty: there is none.
	Name string
	// Path is the file that the dynamic linker takes; empty: it finds none, or is not there to be asked.
	Path string
	ABI  ABI
}

// Look looks at the file of a program, or at a module that programs load. Of the environment, NAME=VALUE settings, what the dynamic
// linker reads counts, and PATH. A file that is no program of this kind of system is one of which nothing is known.
func Look(file string, environment []string) Program {
	p := Program{File: interpreter(file, environment)}
	f, err := elf.Open(p.File)
	if err != nil {
		return p
	}
	defer f.Close()
	direct, _ := f.ImportedLibraries()
	loader := loaderOf(f)
	p.Dynamic = loader != "" || len(direct) > 0
	if !p.Dynamic {
		return p
	}
	needed, listed := dependencies(loader, p.File, environment)
	if !listed {
		for _, name := range direct {
			needed = append(needed, Library{Name: name})
		}
	}
	for _, library := range needed {
		switch library.ABI = abiOf(library.Name, f); {
		case library.ABI == None:
		case p.MPI.ABI == None:
			p.MPI = library
		case library.ABI != p.MPI.ABI && p.Other.ABI == None:
			p.Other = library
		}
	}
	return p
}

// numbered is the library of MPICH and its derivatives, or of Open MPI: only the number tells.
var numbered = regexp.MustCompile(`^libmpi\.so\.\d+$`)

// abiOf is the ABI of a library that a program needs.
func abiOf(name string, program *elf.File) ABI {
	switch {
	case name == "libmpi_abi.so.0" || name == "libmpi_abi.so.1":
		return Standard
	case name == "libmpich.so.12":
		return MPICH
	case !numbered.MatchString(name):
		return None
	case name == "libmpi.so.12" && !usesOpenMPI(program): // Open MPI 1.10 had this number too
		return MPICH
	}
	return OpenMPI
}

// usesOpenMPI reports whether a program has symbols that only Open MPI defines: its handles are addresses of them.
func usesOpenMPI(program *elf.File) bool {
	symbols, _ := program.DynamicSymbols() // not only imported ones: it may have a copy of an object
	return slices.ContainsFunc(symbols, func(s elf.Symbol) bool { return strings.HasPrefix(s.Name, "ompi_") })
}

// loaderOf is the dynamic linker that a program asks for, empty if it asks for none.
func loaderOf(f *elf.File) string {
	for _, part := range f.Progs {
		if part.Type == elf.PT_INTERP {
			text := make([]byte, min(part.Filesz, 4096))
			if _, err := part.ReadAt(text, 0); err == nil {
				return strings.TrimRight(string(text), "\x00")
			}
		}
	}
	return ""
}

// Starter is the file that the kernel needs to start another one: the interpreter of a script, or the dynamic linker; empty if it
// needs none.
func Starter(file string) string {
	if words := firstLine(file); len(words) > 0 {
		return words[0]
	}
	f, err := elf.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	return loaderOf(f)
}

// mostInterpreters is how often Linux goes from a script to its interpreter, which may be a script again.
const mostInterpreters = 5

// interpreter is the file that the kernel runs in the end. The interpreter that env looks for counts as such.
func interpreter(file string, environment []string) string {
	for range mostInterpreters {
		words := firstLine(file)
		if len(words) == 0 {
			return file
		}
		next := words[0]
		if filepath.Base(next) == "env" {
			name := operand(words[1:])
			if name == "" {
				return next
			}
			if next = inPath(name, environment); next == "" {
				return words[0]
			}
		}
		file = next
	}
	return file
}

// firstLine has the words of a script's first line, without #!.
func firstLine(file string) []string {
	f, err := os.Open(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	head := make([]byte, 256) // as much as Linux reads
	n, _ := f.Read(head)
	line, _, _ := strings.Cut(string(head[:n]), "\n")
	if line, isScript := strings.CutPrefix(line, "#!"); isScript {
		return strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' }) // a carriage return is part of a word
	}
	return nil
}

// operand is the first argument of env that is neither an option nor a setting.
func operand(words []string) string {
	for _, word := range words {
		if !strings.HasPrefix(word, "-") && !strings.Contains(word, "=") {
			return word
		}
	}
	return ""
}

// inPath looks for a program in the PATH of an environment.
func inPath(name string, environment []string) string {
	if strings.Contains(name, "/") {
		return name
	}
	for _, folder := range filepath.SplitList(last(environment, "PATH")) {
		path := filepath.Join(folder, name)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return path
		}
	}
	return ""
}

// last is the value of a variable: the last one that is set counts.
func last(environment []string, name string) (value string) {
	for _, setting := range environment {
		if v, ok := strings.CutPrefix(setting, name+"="); ok {
			value = v
		}
	}
	return value
}

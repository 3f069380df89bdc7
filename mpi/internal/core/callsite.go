package core

import (
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
)

// ownPackage is the path of this package, libraryPackage that of the faces and all within.
var (
	ownPackage     = reflect.TypeFor[Comm]().PkgPath()
	libraryPackage = strings.TrimSuffix(ownPackage, "/internal/core")
)

// Foreign: programs are not in Go. Then a call stack does not show where in the program a call is.
var Foreign bool

// own returns the name of a function of this package or of a face, without the package.
func own(function string) (name string, ours bool) {
	if name, ours = strings.CutPrefix(function, ownPackage+"."); !ours {
		name, ours = strings.CutPrefix(function, libraryPackage+".")
	}
	return name, ours
}

// callSite returns which function of a face a program has called, and where in the
// program, from a stack that begins inside this package. Both are empty if the stack does
// not show them.
func callSite(stack []uintptr) (function, place string) {
	if len(stack) == 0 {
		return "", ""
	}
	frames := runtime.CallersFrames(stack)
	inside := false
	for f, more := frames.Next(); ; f, more = frames.Next() {
		name, ours := own(f.Function)
		switch {
		case ours:
			inside = true
			if exported(name) {
				function = exportedName(name)
			}
		case inside:
			if Foreign || strings.HasPrefix(f.Function, "sync.") || strings.HasPrefix(f.Function, "runtime.") {
				return function, "" // a rank of RunLocal has no caller
			}
			return function, fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		}
		if !more {
			return function, ""
		}
	}
}

// exported reports whether a function is what programs call to communicate.
func exported(name string) bool {
	name = exportedName(name)
	return name != "" && 'A' <= name[0] && name[0] <= 'Z' && name != "Run" && name != "RunLocal"
}

// exportedName returns the name of a function without its receiver, its type arguments, and
// the suffix of closures.
func exportedName(name string) string {
	if i := strings.Index(name, ")."); i >= 0 {
		name = name[i+len(")."):]
	}
	if i := strings.IndexAny(name, ".["); i >= 0 {
		name = name[:i]
	}
	return name
}

package mpi

import (
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
)

// ownPrefix is what the names of this package's functions begin with.
var ownPrefix = reflect.TypeFor[Comm]().PkgPath() + "."

// callSite returns which function of this package a program has called, and where in the
// program, from a stack that begins inside this package. Both are empty if the stack does
// not show them.
func callSite(stack []uintptr) (function, place string) {
	if len(stack) == 0 {
		return "", ""
	}
	frames := runtime.CallersFrames(stack)
	inside := false
	for f, more := frames.Next(); ; f, more = frames.Next() {
		name, own := strings.CutPrefix(f.Function, ownPrefix)
		switch {
		case own:
			inside = true
			if exported(name) {
				function = exportedName(name)
			}
		case inside:
			if strings.HasPrefix(f.Function, "sync.") || strings.HasPrefix(f.Function, "runtime.") {
				return function, "" // a rank of RunLocal, which has no caller
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

// Package kernels lists the NAS Parallel Benchmarks that there are, for the program npb and for what measures by them.
package kernels

import (
	"fmt"
	"strings"

	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/bt"
	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/cg"
	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/ep"
	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/ft"
	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/is"
	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/lu"
	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/mg"
	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/nas"
	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/sp"
)

// Kernel is one of the benchmarks, Class the size of its problem, Result what a run gives.
type (
	Kernel = nas.Kernel
	Class  = nas.Class
	Result = nas.Result
)

// All are all there are, in the order in which they run.
var All = []Kernel{ep.Kernel, is.Kernel, cg.Kernel, mg.Kernel, ft.Kernel, lu.Kernel, bt.Kernel, sp.Kernel}

// Names lists all kernels.
func Names() []string {
	var names []string
	for _, k := range All {
		names = append(names, k.Name)
	}
	return names
}

// Find returns the kernel with a name, in letters of any case.
func Find(name string) (Kernel, error) {
	for _, k := range All {
		if k.Name == strings.ToLower(name) {
			return k, nil
		}
	}
	return Kernel{}, fmt.Errorf("%q is no kernel; %s are", name, strings.Join(Names(), ", "))
}

// ParseClass reads the letter of a class, in any case.
func ParseClass(text string) (Class, error) {
	letter := strings.ToUpper(text)
	if len(letter) != 1 || !strings.Contains(nas.Classes, letter) {
		return 0, fmt.Errorf("class %q is none of S, W, A, B and C", text)
	}
	return Class(letter[0]), nil
}

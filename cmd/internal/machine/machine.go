// Package machine describes the computer that figures were measured on.
package machine

import (
	"fmt"
	"runtime"
)

// Machine is the computer, its operating system and the version of Go.
type Machine struct {
	CPUs   int    `json:"cpus"`
	System string `json:"system"` // GOOS/GOARCH
	Kernel string `json:"kernel"` // the release of the kernel, empty if unknown
	Go     string `json:"go"`
}

// This describes the computer that the program runs on.
func This() Machine {
	return Machine{
		CPUs: runtime.NumCPU(), System: runtime.GOOS + "/" + runtime.GOARCH,
		Kernel: kernelRelease(), Go: runtime.Version(),
	}
}

// String has everything in one line.
func (m Machine) String() string {
	return fmt.Sprintf("%s, kernel %s, %d CPUs, %s", m.System, m.Kernel, m.CPUs, m.Go)
}

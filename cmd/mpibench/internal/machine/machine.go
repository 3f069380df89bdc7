// Package machine says what figures hold for.
package machine

import "runtime"

// Machine is where something was measured.
type Machine struct {
	CPUs   int    `json:"cpus"`
	System string `json:"system"` // GOOS/GOARCH
	Kernel string `json:"kernel"` // its release, empty if it does not say
	Go     string `json:"go"`
}

// This is the machine on which the program runs.
func This() Machine {
	return Machine{
		CPUs: runtime.NumCPU(), System: runtime.GOOS + "/" + runtime.GOARCH,
		Kernel: kernelRelease(), Go: runtime.Version(),
	}
}

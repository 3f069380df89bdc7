package enginebench

import "runtime"

// Machine is what the figures hold for.
type Machine struct {
	CPUs   int    `json:"cpus"`
	System string `json:"system"` // GOOS/GOARCH
	Kernel string `json:"kernel"` // its release, empty if it does not say
	Go     string `json:"go"`
}

func thisMachine() Machine {
	return Machine{
		CPUs: runtime.NumCPU(), System: runtime.GOOS + "/" + runtime.GOARCH,
		Kernel: kernelRelease(), Go: runtime.Version(),
	}
}

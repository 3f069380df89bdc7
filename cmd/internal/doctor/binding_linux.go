package doctor

import (
	"strings"

	"github.com/sctpmpi/sctpmpi/cmd/internal/process"
)

// shownCores bounds the cores whose processors are named.
const shownCores = 16

// binding says what mpirun --bind-to core divides between the ranks of this host.
func binding() Finding {
	cores, err := process.Cores()
	if err != nil {
		return bad(Differ, "start ranks without --bind-to core", "%v", err)
	}
	var processors []string
	for _, core := range cores[:min(len(cores), shownCores)] {
		processors = append(processors, process.List(core))
	}
	if len(cores) > shownCores {
		processors = append(processors, "…")
	}
	return good("--bind-to core has %d cores to divide between ranks: processors %s", len(cores), strings.Join(processors, " "))
}

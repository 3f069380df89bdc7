package table

import (
	_ "embed"
	"strings"
)

//go:embed openmpi.txt
var openMPI string

// OpenMPI has the names of what Open MPI's library defines beside [Functions]: further functions, and objects.
func OpenMPI() (functions, objects []string) {
	into := &functions
	for line := range strings.Lines(openMPI) {
		switch {
		case strings.HasPrefix(line, "## objects"):
			into = &objects
		case line[0] != '#':
			*into = append(*into, strings.Fields(line)...)
		}
	}
	return functions, objects
}

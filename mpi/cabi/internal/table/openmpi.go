package table

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed openmpi.txt
var openMPIText string

// Object is one of Open MPI's library, of which programs know the address.
type Object struct {
	Name string
	Size int
}

// OpenMPI is what Open MPI's library defines beside [Functions].
type OpenMPI struct {
	ByHand     []string // functions that are in C
	Extensions []string // functions with the prefix MPIX_ of which others are now in the standard
	Inside     []string // functions that only Open MPI's own libraries call
	Objects    []Object
}

// OfOpenMPI reads the table.
func OfOpenMPI() (o OpenMPI) {
	var names *[]string
	size := 0
	for line := range strings.Lines(openMPIText) {
		switch head, _ := strings.CutPrefix(line, "## "); {
		case strings.HasPrefix(head, "functions by hand"):
			names = &o.ByHand
		case strings.HasPrefix(head, "functions that were extensions"):
			names = &o.Extensions
		case strings.HasPrefix(head, "inside"):
			names = &o.Inside
		case strings.HasPrefix(head, "objects"):
			names = nil
			if _, err := fmt.Sscanf(head, "objects of %d bytes", &size); err != nil {
				panic("table: no size: " + line)
			}
		case line[0] == '#':
		case names != nil:
			*names = append(*names, strings.Fields(line)...)
		default:
			for _, name := range strings.Fields(line) {
				o.Objects = append(o.Objects, Object{name, size})
			}
		}
	}
	return o
}

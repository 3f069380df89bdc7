package mpi

import (
	"fmt"
	"strings"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/tcprpi/perpair"
)

// transports are the transports that a job can choose from. The first is the
// default.
var transports = []struct {
	name string
	open rpi.Open
}{
	{perpair.Name, perpair.Open},
}

// Transports lists the names that WithTransport and SCTPMPI_TRANSPORT take,
// the default first.
func Transports() []string {
	names := make([]string, len(transports))
	for i, t := range transports {
		names[i] = t.name
	}
	return names
}

func findTransport(name string) (rpi.Open, error) {
	for _, t := range transports {
		if t.name == name {
			return t.open, nil
		}
	}
	return nil, fmt.Errorf("unknown transport %q; known: %s", name, strings.Join(Transports(), ", "))
}

package mpi

import (
	"fmt"
	"strings"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/kernel"
	sctppertrc "github.com/sctpmpi/sctpmpi/sctprpi/pertrc"
	"github.com/sctpmpi/sctpmpi/tcprpi/perpair"
	"github.com/sctpmpi/sctpmpi/tcprpi/pertrc"
)

// transports are the transports that a job can choose from.
var transports = []struct {
	name string
	open rpi.Open
}{
	{sctprpi.KernelName, sctprpi.OpenKernel},
	{sctprpi.Name, sctprpi.Open},
	{perpair.Name, perpair.Open},
	{pertrc.Name, pertrc.Open},
	{sctppertrc.Name, sctppertrc.Open},
}

// DefaultTransport stands for sctp-kernel where the host has the kernel's SCTP, set up as
// sctprpi/kernel wants it, and for sctp-engine elsewhere.
const DefaultTransport = "sctp"

// Transports lists the names of transports. WithTransport and SCTPMPI_TRANSPORT take
// them, and DefaultTransport.
func Transports() []string {
	names := make([]string, len(transports))
	for i, t := range transports {
		names[i] = t.name
	}
	return names
}

// findTransport returns the name and the opener of the transport that a name stands for.
func findTransport(name string) (string, rpi.Open, error) {
	if name == DefaultTransport {
		if name = sctprpi.Name; kernel.Probe() == nil {
			name = sctprpi.KernelName
		}
	}
	for _, t := range transports {
		if t.name == name {
			return t.name, t.open, nil
		}
	}
	return "", nil, fmt.Errorf("unknown transport %q; known: %s, %s", name, DefaultTransport, strings.Join(Transports(), ", "))
}

// Package transports lists the transports that a job can choose from. All faces
// share it; nothing below them knows it.
package transports

import (
	"fmt"
	"strings"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/startup"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/kernel"
	sctppertrc "github.com/sctpmpi/sctpmpi/sctprpi/pertrc"
	"github.com/sctpmpi/sctpmpi/tcprpi/perpair"
	"github.com/sctpmpi/sctpmpi/tcprpi/pertrc"
)

// Transport is a transport and its name.
type Transport struct {
	Name string
	Open rpi.Open
}

// All are the transports. Tests add theirs.
var All = []Transport{
	{sctprpi.KernelName, sctprpi.OpenKernel},
	{sctprpi.Name, sctprpi.Open},
	{perpair.Name, perpair.Open},
	{pertrc.Name, pertrc.Open},
	{sctppertrc.Name, sctppertrc.Open},
}

// Names are the names of all transports.
func Names() []string {
	names := make([]string, len(All))
	for i, t := range All {
		names[i] = t.Name
	}
	return names
}

// Find returns the name and the opener of the transport that a name stands for.
// The default one is sctp-kernel where the host has the kernel's SCTP, set up as
// sctprpi/kernel wants it, and sctp-engine elsewhere.
func Find(name string) (string, rpi.Open, error) {
	if name == startup.DefaultTransport {
		if name = sctprpi.Name; kernel.Probe() == nil {
			name = sctprpi.KernelName
		}
	}
	for _, t := range All {
		if t.Name == name {
			return t.Name, t.Open, nil
		}
	}
	return "", nil, fmt.Errorf("unknown transport %q; known: %s, %s", name, startup.DefaultTransport, strings.Join(Names(), ", "))
}

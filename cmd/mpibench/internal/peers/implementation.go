// Package peers runs the work of package rank on other implementations of MPI, by small C
// programs that it builds with their compilers where they are installed.
package peers

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
)

// Medium is how a peer carries messages between the ranks of one host.
type Medium string

const (
	TCP          Medium = "TCP"
	SharedMemory Medium = "shared memory"
)

// implementation is one that a host may have.
type implementation struct {
	name string
	// launchers are the names of its launcher, the most specific first.
	launchers []string
	// brand matches what its launcher says of its version. Debian's mpirun.openmpi calls
	// itself OpenRTE where another MPI is installed beside it.
	brand   *regexp.Regexp
	install string
	// arguments and variables have it use a medium.
	arguments map[Medium][]string
	variables map[Medium][]string
	// crowded are arguments that allow more ranks than cores.
	crowded []string
}

var implementations = []implementation{
	{
		name: "Open MPI", brand: regexp.MustCompile(`Open MPI|OpenRTE`),
		launchers: []string{"mpirun.openmpi", "mpirun"},
		install:   "apt-get install openmpi-bin libopenmpi-dev",
		arguments: map[Medium][]string{
			TCP:          {"--mca", "pml", "ob1", "--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", "lo"},
			SharedMemory: {"--mca", "pml", "ob1", "--mca", "btl", "vader,self"},
		},
		variables: map[Medium][]string{
			TCP: asRoot, SharedMemory: asRoot,
		},
		crowded: []string{"--oversubscribe"},
	},
	{
		name: "MPICH", brand: regexp.MustCompile(`(?i)HYDRA`),
		launchers: []string{"mpirun.mpich", "mpirun"},
		install:   "apt-get install mpich libmpich-dev",
		variables: map[Medium][]string{
			TCP: {"UCX_TLS=tcp,self", "UCX_NET_DEVICES=lo", "MPIR_CVAR_NOLOCAL=1"},
		},
	},
}

// asRoot has Open MPI run for root too, as in containers.
var asRoot = []string{"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"}

// Peer is an implementation with the programs that were built for it.
type Peer struct {
	// Name has the version.
	Name              string
	launcher, program string
	implementation
}

// Find builds the programs, in a folder, for all implementations that are installed. For
// the others it says why they are missing.
func Find(ctx context.Context, folder string) (found []Peer, missing map[string]string, err error) {
	source, err := unpack(folder)
	if err != nil {
		return nil, nil, err
	}
	missing = make(map[string]string)
	for _, i := range implementations {
		p, err := i.build(ctx, source, folder)
		if ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
		if err != nil {
			missing[i.name] = err.Error()
			continue
		}
		found = append(found, p)
	}
	return found, missing, nil
}

var number = regexp.MustCompile(`\d+\.\d+(\.\d+)*`)

// find finds the launcher of an implementation, and its version.
func (i implementation) find(ctx context.Context) (launcher, version string, err error) {
	for _, name := range i.launchers {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		said, err := exec.CommandContext(ctx, path, "--version").Output()
		if err == nil && i.brand.Match(said) {
			return path, string(number.Find(said)), nil
		}
	}
	return "", "", fmt.Errorf("not installed; on Debian: %s", i.install)
}

// environment of a job over a medium.
func (i implementation) environment(m Medium) []string {
	return append(os.Environ(), i.variables[m]...)
}

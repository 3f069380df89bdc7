// Package othermpi runs the work of package rank on Open MPI and MPICH, where they are installed. It
// builds small C programs with their compilers.
package othermpi

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
)

// Medium is what carries messages between the ranks of one host.
type Medium string

const (
	TCP          Medium = "TCP"
	SharedMemory Medium = "shared memory"
)

// implementation is an MPI library that a host may have.
type implementation struct {
	name string
	// launchers are the names of its launcher, the most specific first.
	launchers []string
	// brand matches the output of the launcher's --version. Debian's mpirun.openmpi calls itself
	// OpenRTE if another MPI is installed too.
	brand   *regexp.Regexp
	install string // the command that installs it on Debian
	// arguments and variables select a medium.
	arguments map[Medium][]string
	variables map[Medium][]string
	// oversubscribe are arguments that allow more ranks than cores.
	oversubscribe []string
}

var implementations = []implementation{
	{
		name: "Open MPI", brand: regexp.MustCompile(`Open MPI|OpenRTE`),
		launchers: []string{"mpirun.openmpi", "mpirun"},
		install:   "apt-get install openmpi-bin libopenmpi-dev",
		arguments: map[Medium][]string{
			TCP:          {"--mca", "pml", "ob1", "--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", "lo", "--mca", "osc", "pt2pt"},
			SharedMemory: {"--mca", "pml", "ob1", "--mca", "btl", "vader,self"},
		},
		variables: map[Medium][]string{
			TCP: asRoot, SharedMemory: asRoot,
		},
		oversubscribe: []string{"--oversubscribe"},
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

// asRoot lets Open MPI run as root, as containers do.
var asRoot = []string{"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"}

// Library is an implementation, perhaps with the program that was built for it.
type Library struct {
	Name              string // with the version
	launcher, program string
	implementation
}

// Find builds the program in a folder for each implementation that is installed. For the others it
// returns why they are missing, by name.
func Find(ctx context.Context, folder string) (found []Library, missing map[string]string, err error) {
	source, err := unpack(folder)
	if err != nil {
		return nil, nil, err
	}
	return each(ctx, func(i implementation) (Library, error) { return i.build(ctx, source, folder) })
}

// Installed returns each implementation that is installed, without a program, and why the others are missing, by name.
func Installed(ctx context.Context) (found []Library, missing map[string]string, err error) {
	return each(ctx, func(i implementation) (Library, error) { return i.find(ctx) })
}

// Implementation is the name without the version.
func (l Library) Implementation() string { return l.implementation.name }

// each makes the library of each implementation.
func each(ctx context.Context, library func(implementation) (Library, error)) (found []Library, missing map[string]string, err error) {
	missing = make(map[string]string)
	for _, i := range implementations {
		library, err := library(i)
		if ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
		if err != nil {
			missing[i.name] = err.Error()
			continue
		}
		found = append(found, library)
	}
	return found, missing, nil
}

var number = regexp.MustCompile(`\d+\.\d+(\.\d+)*`)

// find finds the launcher of an implementation, and its version.
func (i implementation) find(ctx context.Context) (Library, error) {
	for _, name := range i.launchers {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		text, err := exec.CommandContext(ctx, path, "--version").Output()
		if err == nil && i.brand.Match(text) {
			return Library{Name: i.name + " " + string(number.Find(text)), launcher: path, implementation: i}, nil
		}
	}
	return Library{}, fmt.Errorf("not installed; on Debian: %s", i.install)
}

// environment returns the variables of a job that uses a medium.
func (i implementation) environment(m Medium) []string {
	return append(os.Environ(), i.variables[m]...)
}

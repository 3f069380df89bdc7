package main_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// MPI_APPNUM is the place of the program between the colons of mpirun's command line, or what another launcher says. MPI_Abi_get_version
// is that of the standard ABI, if the program is compiled for it.
func TestApplicationsAndVersionOfTheABI(t *testing.T) {
	version := map[string]string{"std": "1.0", "mpich": "-1.-1", "openmpi": "-1.-1"}
	for _, face := range faces {
		program := compile(t, face.abi, "application.c")
		lines := func(numbers ...string) (all []string) {
			for _, n := range numbers {
				all = append(all, n+", ABI "+version[face.abi])
			}
			return all
		}
		said := func(cmd *exec.Cmd) []string {
			all := strings.Split(strings.TrimSpace(output(t, cmd)), "\n")
			slices.Sort(all)
			return all
		}
		assert.Equal(t, lines("0", "1", "1", "2"), said(mpirun(t, "-n", "1", program, ":", "-n", "2", program, ":", "-n", "1", program)), face.abi)
		assert.Equal(t, lines("0", "0"), said(mpirun(t, "-n", "2", program)), face.abi)
		assert.Equal(t, lines("-1"), said(exec.Command(program)), "alone, %s", face.abi)
		assert.Equal(t, lines("3"), said(underPMIx(pmixLibrary(t), program)), face.abi)
		silent := underPMIx(pmixLibrary(t), program)
		silent.Env = append(silent.Env, "FAIL=appnum")
		assert.Equal(t, lines("-1"), said(silent), face.abi)
	}
}

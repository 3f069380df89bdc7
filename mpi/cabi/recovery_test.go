package main_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Ranks go on when one has been killed, however they are connected.
func TestRanksGoOnWhenOneHasDied(t *testing.T) {
	for _, face := range twoFaces {
		program := compile(t, face.abi, "deaths.c")
		for way, env := range ways {
			if face.abi != "std" && env != nil {
				continue // the ABI does not see how ranks are connected
			}
			var out, said bytes.Buffer
			cmd := mpirun(t, "--keep-going", "-n", "4", program)
			cmd.Stdout, cmd.Stderr = &out, &said
			cmd.Env = append(append(os.Environ(), "TMPDIR="+t.TempDir()), env...)
			assert.NoError(t, cmd.Run(), "%s, %s: %s", face.abi, way, &said)
			assert.Equal(t, "no errors\n", out.String(), "%s, %s", face.abi, way)
			assert.Contains(t, said.String(), "lost: rank 2", "%s, %s", face.abi, way)
		}
	}
}

// A program learns that a rank is silent before it counts as dead. That takes half of the time-out, which must be so long that no rank dies of
// a busy machine.
func TestRanksSuspectOneThatIsStopped(t *testing.T) {
	if os.Getenv("SCTPMPI_TEST_LONG") == "" {
		t.Skip("this runs with SCTPMPI_TEST_LONG=1 only")
	}
	for _, face := range twoFaces {
		program := compile(t, face.abi, "silence.c")
		for _, transport := range []string{"tcp-perpair", "sctp-engine"} {
			var out, said bytes.Buffer
			cmd := mpirun(t, "-n", "2", program)
			cmd.Stdout, cmd.Stderr = &out, &said
			cmd.Env = append(os.Environ(), "SCTPMPI_SHM=off", "SCTPMPI_TRANSPORT="+transport, "SCTPMPI_PEER_TIMEOUT=30s")
			assert.NoError(t, cmd.Run(), "%s, %s: %s", face.abi, transport, &said)
			assert.Equal(t, "no errors\n", out.String(), "%s, %s", face.abi, transport)
			assert.Regexp(t, `^mpirun: rank 1 \(.*\) has been stopped, .*\n$`, said.String(), "%s, %s", face.abi, transport)
		}
	}
}

package main_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Ranks go on when one has been killed, however they are connected.
func TestRanksGoOnWhenOneHasDied(t *testing.T) {
	for _, face := range faces {
		program := compile(t, face.abi, "deaths.c")
		for way, env := range ways {
			if face.abi == "mpich" && env != nil {
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

package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Ranks die on this host and on others, or a whole host does.
func TestSurvivorsOnSeveralHostsFinish(t *testing.T) {
	for _, test := range []struct {
		victims []string
		left    int
	}{
		{[]string{"3", "0"}, 2},
		{[]string{"host2"}, 2},
		{[]string{"1", "host3"}, 1},
	} {
		t.Run(strings.Join(test.victims, " and "), func(t *testing.T) {
			m, _ := onHosts(t, "localhost:2,a:2", append([]string{"--keep-going", "-n", "4", "-x", "SCTPMPI_INTERFACE=127.0.0.1", "RANK", "survive"}, test.victims...)...)
			m.Env = append(m.Env, "SCTPMPI_PEER_TIMEOUT=10h", "SCTPMPI_FINALIZE_TIMEOUT=10h", "SCTPMPI_CONNECT_TIMEOUT=10h")
			require.NoError(t, m.Start())
			stderr := &m.stderr
			assert.Zero(t, m.status(t), stderr)
			assert.Equal(t, strings.Repeat("survivors: "+string(rune('0'+test.left))+"\n", test.left), m.stdout.String(), stderr)
			assert.Equal(t, 4-test.left, strings.Count(stderr.String(), "mpirun: lost: rank "), stderr)
			if strings.HasPrefix(test.victims[len(test.victims)-1], "host") {
				assert.Contains(t, stderr.String(), "lost host a: ")
			}
		})
	}
}

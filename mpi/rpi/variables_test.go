package rpi

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMistakenNamesAreFoundWithTheNearestKnownOne(t *testing.T) {
	for name, near := range map[string]string{
		"SCTPMPI_EAGER_LIMT":      EnvEagerLimit,
		"SCTPMPI_EAGERLIMIT":      EnvEagerLimit,
		"SCTPMPI_TRANSPROT":       EnvTransport,
		"SCTPMPI_TIMEOUT":         EnvPeerTimeout,
		"SCTPMPI_STREAM":          EnvStreams,
		"SCTPMPI_PORTS":           EnvPortRange,
		"SCTPMPI_CONNECT_TIMEOUT": "",
	} {
		got := MistakenVariables([]string{"PATH=/bin", name + "=1", name + "=2"})
		if near == "" {
			assert.Empty(t, got)
			continue
		}
		require.Len(t, got, 1)
		assert.Equal(t, fmt.Sprintf("there is no variable %s; did you mean %s?", name, near), got[0])
	}
}

func TestNameThatIsLikeNoneHasNoSuggestion(t *testing.T) {
	for _, name := range []string{"SCTPMPI_NONSENSE", "SCTPMPI_ZZZ", "SCTPMPI_"} {
		assert.Equal(t, []string{"there is no variable " + name + "; mpirun --help lists those that there are"}, MistakenVariables([]string{name + "=1"}))
	}
	_, found := Nearest("name", nil)
	assert.False(t, found)
}

func TestNoKnownVariableIsMistaken(t *testing.T) {
	environment := []string{"SCTPMPI_LAB=1", "SCTPMPI_TEST_CHILD=x", "SCTPMPI_NETLAB_RTO_MIN=1"}
	for _, name := range Variables {
		environment = append(environment, name+"=x")
	}
	assert.Empty(t, MistakenVariables(environment))
}

func TestPortRange(t *testing.T) {
	for _, value := range []string{"", "7", "7-", "-7", "0-0", "0-7", "8-7", "7-65536", "a-b", "7-8-9"} {
		_, _, err := ParsePortRange(value)
		require.EqualError(t, err, "it must be low-high, from 1 to 65535, such as 7000-7063", value)
	}
	low, high, err := ParsePortRange("7000-7001")
	require.NoError(t, err)
	require.NoError(t, CheckPortRange(low, high, 2))
	require.EqualError(t, CheckPortRange(low, high, 3), "SCTPMPI_PORT_RANGE=7000-7001: 2 ports for 3 ranks on this host; each rank needs one")
	require.NoError(t, CheckPortRange(0, 0, 1000))
}

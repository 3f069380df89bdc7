package job

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestHostsWithTheSameReasonAreNamedTogether(t *testing.T) {
	assert.Equal(t, []failure{
		{status: 127, text: "hosts a, c: prog: not found in PATH"},
		{status: 1, text: "cannot start mpirun on host b: 100%s"},
	}, gather([]*unreached{
		{host: "a", status: 127, text: "%s: prog: not found in PATH"}, nil, {host: "b", status: 1, text: "cannot start mpirun on %s: 100%s"},
		{host: "c", status: 127, text: "%s: prog: not found in PATH"},
	}))
}

func TestVariablesThatGoAlongToOtherHosts(t *testing.T) {
	assert.Equal(t, []string{"SCTPMPI_SHM=off", "GOMAXPROCS=3", "GODEBUG="}, along([]string{
		"HOME=/me", "SCTPMPI_SHM=off", "GOMAXPROCS=3", "SCTPMPI_JOB_TOKEN=secret", "PMI_RANK=1", "GODEBUG=", "GOPATH=/go", "LD_LIBRARY_PATH=/x",
	}))
}

package machine_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sctpmpi/sctpmpi/cmd/internal/machine"
)

func TestMachineSaysWhatItIs(t *testing.T) {
	m := machine.This()
	assert.Positive(t, m.CPUs)
	assert.Contains(t, m.System, "/")
	assert.NotEmpty(t, m.Go)
	assert.Equal(t, "linux/amd64, kernel 6.1, 2 CPUs, go1.26",
		machine.Machine{CPUs: 2, System: "linux/amd64", Kernel: "6.1", Go: "go1.26"}.String())
}

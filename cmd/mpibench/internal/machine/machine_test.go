package machine_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/machine"
)

func TestMachineSaysWhatItIs(t *testing.T) {
	m := machine.This()
	assert.Positive(t, m.CPUs)
	assert.Contains(t, m.System, "/")
	assert.NotEmpty(t, m.Go)
}

func TestRestrictionToMoreCoresThanThereAreChangesNothing(t *testing.T) {
	assert.NoError(t, machine.Restrict(1<<20), "or else this process would have become another one")
}

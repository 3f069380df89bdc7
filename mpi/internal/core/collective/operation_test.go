package collective

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// An operation that is given back may become a persistent one, which Begin does not prepare: it has nothing left of a call that tried to make
// a Memory, whose blocks are not the program's.
func TestAnOperationThatIsGivenBackTriesNothing(t *testing.T) {
	s := &Space{process: new(Process)}
	o := &Operation{space: s, making: true, kept: true, Safe: true}
	o.Release()
	require.False(t, o.making || o.kept || o.Safe)
}

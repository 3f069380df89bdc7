package sctprpi

import (
	"testing"

	"github.com/sctpmpi/sctpmpi/mpi/rpi/rpitest"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/enginetest"
)

// The contract holds on a network that loses, reorders and doubles packets.
func TestImpairedNetwork(t *testing.T) {
	rpitest.RunVariant(t, opener(Options{Listen: enginetest.ListenImpaired()}))
	t.Run("sealed messages", func(t *testing.T) {
		rpitest.RunVariant(t, opener(records(enginetest.ListenImpaired())))
	})
}

//go:build !race

package sctprpi

import (
	"fmt"
	"testing"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/rpitest"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/enginetest"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/associations"
)

// The contract with other settings. They change what is sent and when, and not which goroutines meet: the race detector sees those in
// TestTransport and TestProgress, and those of sealed messages in the tests beside TestLongestSealedMessages.

func TestOtherStreams(t *testing.T) {
	variants := []Options{{Streams: 1}, {Streams: 1024, Interleave: true}}
	if rpitest.Long() {
		variants = append(variants, Options{Streams: 2}, Options{Streams: 16}, Options{Streams: 1024})
	}
	for _, o := range variants {
		t.Run(fmt.Sprintf("streams %d, interleaving %v", o.Streams, o.Interleave), func(t *testing.T) {
			rpitest.RunVariant(t, opener(o))
		})
	}
}

// The contract holds on a network that loses, reorders and doubles packets.
func TestImpairedNetwork(t *testing.T) {
	rpitest.RunVariant(t, opener(Options{Listen: enginetest.ListenImpaired()}))
	t.Run("sealed messages", func(t *testing.T) {
		rpitest.RunVariant(t, opener(records(enginetest.ListenImpaired())))
	})
}

// The other tests encrypt what they send, as is the default.
func TestAuthenticatedTransport(t *testing.T) {
	rpitest.RunVariant(t, func(cfg rpi.Config) (rpi.Transport, error) {
		cfg.Encrypt = seal.AlwaysAuth
		return New(cfg, Options{})
	})
}

// Messages are sealed instead of datagrams where the socket cannot: the kernel's. The engine plays its part here. What they are sealed
// with has no say in when they are sent: see TestLongestSealedMessages for messages that are only authenticated.
func TestTransportWithSealedMessages(t *testing.T) {
	policies := []seal.Policy{seal.AlwaysEncrypt}
	if rpitest.Long() {
		policies = append(policies, seal.AlwaysAuth)
	}
	for _, policy := range policies {
		t.Run(policy.String(), func(t *testing.T) {
			rpitest.RunVariant(t, func(cfg rpi.Config) (rpi.Transport, error) {
				cfg.Encrypt = policy
				return New(cfg, records(associations.ListenEngine))
			})
		})
	}
}

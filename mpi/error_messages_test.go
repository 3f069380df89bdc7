package mpi

import (
	"context"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/startup"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/transports"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/kernel"
)

// openers are the transports that this host has.
func openers() map[string]rpi.Open {
	found := make(map[string]rpi.Open)
	for _, t := range transports.All {
		if t.Name != sctprpi.KernelName || kernel.Probe() == nil {
			found[t.Name] = t.Open
		}
	}
	return found
}

// The launcher never says where the peer is, so that the connection cannot come about.
func TestConnectionThatDoesNotComeAboutNamesTheVariable(t *testing.T) {
	for name, open := range openers() {
		t.Run(name, func(t *testing.T) {
			transport, err := open(rpi.Config{
				Size: 2, Token: startup.NewToken(), ConnectTimeout: 20 * time.Millisecond,
				Lookup: func(ctx context.Context, _ int) (string, error) {
					<-ctx.Done()
					return "", context.Cause(ctx)
				},
			})
			require.NoError(t, err)
			t.Cleanup(transport.Kill)
			err = transport.Connect(t.Context())
			require.ErrorIs(t, err, ErrProcFailed)
			require.ErrorContains(t, err, "no connection within 20ms (SCTPMPI_CONNECT_TIMEOUT)")
		})
	}
}

func TestTransportThatCannotListenSaysWhereWithoutItsName(t *testing.T) {
	for name, open := range openers() {
		_, err := open(rpi.Config{Size: 2, Bind: []netip.Addr{netip.MustParseAddr("203.0.113.77")}})
		require.ErrorContains(t, err, "cannot listen on 203.0.113.77: ", name)
		assert.NotContains(t, err.Error(), "ports", name)
		assert.NotContains(t, err.Error(), name)
		_, err = open(rpi.Config{Size: 2, Bind: []netip.Addr{netip.MustParseAddr("203.0.113.77")}, PortLow: 7000, PortHigh: 7001})
		require.ErrorContains(t, err, "cannot listen on 203.0.113.77, ports 7000 to 7001: ", name)
	}
}

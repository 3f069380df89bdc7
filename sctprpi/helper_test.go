package sctprpi

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/handshake"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/handshake/handshaketest"
)

// job is the configuration of rank 2 in a job of three, to which no other rank can be found.
func job() rpi.Config {
	return rpi.Config{Rank: 2, Size: 3, Token: []byte("the job's secret"), Encrypt: seal.Off, Lookup: func(ctx context.Context, _ int) (string, error) {
		<-ctx.Done()
		return "", ctx.Err()
	}}.WithDefaults()
}

// victim is rank 2 of that job; the test plays the others.
func victim(t testing.TB) *Transport {
	v, err := New(job(), Options{})
	require.NoError(t, err)
	t.Cleanup(v.Kill)
	return v
}

// newMember is rank 1 of the victim's job, and does what it likes.
func newMember(t testing.TB, v *Transport) *handshaketest.Outsider {
	cfg := job()
	return handshaketest.Join(t, v.Address(), handshake.Terms{
		Protocol: protocol, Rank: 1, Size: cfg.Size, Setting: progression.Share(cfg), Token: cfg.Token,
	}, 2)
}

// frame encodes an envelope.
func frame(e header.Header) []byte { return header.Append(nil, &e) }

func receiveFrom(source int) *rpi.Request {
	return &rpi.Request{Op: rpi.OpRecv, Peer: matching.Rank(source), Tag: matching.AnyTag, Buf: make([]byte, 1<<16), Type: 1, Elem: 1}
}

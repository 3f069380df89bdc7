package sctprpi

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/rpitest"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
)

// opener makes transports with options.
func opener(o Options) rpi.Open {
	return func(cfg rpi.Config) (rpi.Transport, error) { return New(cfg, o) }
}

func TestTransport(t *testing.T) { rpitest.Run(t, opener(Options{})) }

// Ranks of different transports understand each other if these say the same: the engine, and the kernel's SCTP in UDP.
func TestTransportSaysWhatItSpeaks(t *testing.T) {
	for encrypt, want := range map[seal.Policy]string{seal.Off: "sctp/udp", seal.AlwaysEncrypt: "sctp/udp/sealed"} {
		cfg := job()
		cfg.Rank, cfg.Size, cfg.Encrypt = 0, 2, encrypt
		tr, err := New(cfg, Options{})
		require.NoError(t, err)
		defer tr.Kill()
		require.Equal(t, want, rpi.Transport(tr).(interface{ Protocol() string }).Protocol())
	}
}

func TestProgress(t *testing.T) { rpitest.RunProgress(t, opener(Options{})) }

func BenchmarkTransport(b *testing.B) {
	for name, o := range map[string]Options{"fragments": {}, "interleaving": {Interleave: true}} {
		b.Run(name, func(b *testing.B) { rpitest.Benchmark(b, opener(o)) })
	}
}

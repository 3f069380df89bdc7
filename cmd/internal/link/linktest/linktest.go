// Package linktest tests that a transport keeps the contract of package link.
package linktest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/link"
)

// Run tests a transport, with both ends in this process.
func Run(t *testing.T, transport link.Transport) {
	t.Run("messages of all sizes arrive whole and are counted", func(t *testing.T) {
		for _, o := range []link.Options{{}, {NoChecksum: true}} {
			here, there, _ := Pair(t, transport, o)
			for _, m := range []struct{ size, count int }{
				{1, 1}, {1, 5000}, {64, 3000}, {1 << 10, 500}, {4095, 100}, {4096, 100}, {16_000, 50},
				{64 << 10, 50}, {4 << 20, 5},
			} {
				Both(t, func() error { return here.Send(m.size, m.count) }, func() error { return there.Receive(m.size, m.count) })
				Both(t, func() error { return there.Send(m.size, 2) }, func() error { return here.Receive(m.size, 2) })
			}
		}
	})
	t.Run("messages are received in other portions than they are sent", func(t *testing.T) {
		here, there, _ := Pair(t, transport, link.Options{})
		for _, size := range []int{8, 5000, 100_000} {
			Both(t, func() error { return here.Send(size, 300) }, func() error {
				for _, count := range []int{1, 1, 98, 200} {
					if err := there.Receive(size, count); err != nil {
						return err
					}
				}
				return nil
			})
		}
	})
	t.Run("a message of another size is an error", func(t *testing.T) {
		here, there, _ := Pair(t, transport, link.Options{})
		require.NoError(t, here.Send(100, 1))
		assert.ErrorContains(t, there.Receive(64, 1), "not of 64")
	})
	t.Run("latency has a sample for each round trip", func(t *testing.T) {
		here, there, _ := Pair(t, transport, link.Options{})
		Both(t, func() error {
			trips, total, err := link.Latency(here, true, 64, 100)
			assert.Len(t, trips, 100)
			for _, trip := range trips {
				total -= trip
			}
			assert.Zero(t, total)
			return err
		}, func() error {
			_, _, err := link.Latency(there, false, 64, 100)
			return err
		})
	})
	t.Run("throughput ends with the answer to the last message", func(t *testing.T) {
		here, there, _ := Pair(t, transport, link.Options{})
		Both(t, func() error {
			elapsed, err := link.Throughput(here, true, 1<<10, 1000)
			assert.Positive(t, elapsed)
			return err
		}, func() error {
			_, err := link.Throughput(there, false, 1<<10, 1000)
			return err
		})
	})
}

// Pair links two ends: one that has dialled, and one that listens at an address.
func Pair(t *testing.T, transport link.Transport, o link.Options) (dialled, listened link.Link, addr string) {
	t.Helper()
	announced := make(chan string, 1)
	Both(t, func() (err error) {
		addr = <-announced
		dialled, err = transport.Dial(o, addr)
		return err
	}, func() (err error) {
		defer close(announced)
		listened, err = transport.Listen(o, func(a string) { announced <- a })
		return err
	})
	t.Cleanup(func() {
		assert.NoError(t, dialled.Close())
		assert.NoError(t, listened.Close())
	})
	return dialled, listened, addr
}

// Both calls two functions at the same time. Neither may fail.
func Both(t *testing.T, here, there func() error) {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- there() }()
	err := here()
	require.NoError(t, <-done)
	require.NoError(t, err)
}

package engine

import (
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/netem/lab/labtest"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

const mtuVariable = "SCTPMPI_TEST_LOOPBACK_MTU"

// A device that is narrower than the 1,200 bytes that the search for the path MTU begins
// with carries messages of all sizes; and so does one that becomes so in between. Each MTU
// has a process with a network of its own.
func TestMessagesOverANarrowDevice(t *testing.T) {
	if mtu, err := strconv.Atoi(os.Getenv(mtuVariable)); err == nil {
		exchangeOverLoopback(t, mtu)
		return
	}
	for _, mtu := range []int{576, 700, 1000, 1199, 1500} {
		t.Run(fmt.Sprint(mtu), func(t *testing.T) {
			labtest.InNetwork(t, fmt.Sprintf("%s=%d", mtuVariable, mtu))
		})
	}
}

func exchangeOverLoopback(t *testing.T, mtu int) {
	labtest.SetLoopback(t, mtu)
	exchangeAll(t)
	labtest.SetLoopback(t, 9000)
	a, b := listen(t, Config{}), listen(t, Config{})
	there, _ := meet(t, a, b)
	transfer(t, a, there, b, 100_000)
	labtest.SetLoopback(t, mtu)
	transfer(t, a, there, b, 1_000_000)
	require.NoError(t, a.Close())
	require.NoError(t, b.Close())
}

// exchangeAll sends messages of many sizes both ways.
func exchangeAll(t *testing.T) {
	a, b := listen(t, Config{}), listen(t, Config{})
	there, back := meet(t, a, b)
	for size := 8; size <= 1<<20; size *= 8 {
		transfer(t, a, there, b, size)
		transfer(t, b, back, a, size)
	}
	require.NoError(t, a.Close())
	require.NoError(t, b.Close())
}

// meet makes an association and returns its ID at both ends.
func meet(t *testing.T, a, b *Socket) (there, back socket.AssocID) {
	_, err := a.Connect(b.LocalAddrs()...)
	require.NoError(t, err)
	return await(t, a, socket.Up).Assoc, await(t, b, socket.Up).Assoc
}

// transfer sends a message and receives it.
func transfer(t *testing.T, from *Socket, id socket.AssocID, to *Socket, size int) {
	sent := make([]byte, size)
	for i := range sent {
		sent[i] = byte(i)
	}
	n, err := from.Send(id, []socket.Message{{Data: [][]byte{sent}}})
	require.NoError(t, err)
	require.Equal(t, 1, n)
	for got := 0; got < size; {
		var events [16]socket.Event
		n, err := to.Receive(events[:])
		require.NoError(t, err)
		for i := range events[:n] {
			require.Equal(t, sent[got:got+len(events[i].Payload)], events[i].Payload)
			got += len(events[i].Payload)
			events[i].Release()
		}
		if n == 0 {
			require.NoError(t, to.Wait(t.Context()))
		}
	}
}

package kernel

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// A goroutine that has found the socket open begins to read when Close has come in between.
func TestCloseComesBeforeReading(t *testing.T) {
	e, peer := newStub(t, Config{})
	_, err := unix.Write(peer, []byte("too late"))
	require.NoError(t, err)
	require.NoError(t, e.Close())
	require.True(t, e.read())
	_, err = e.Receive(make([]socket.Event, 1))
	require.ErrorIs(t, err, socket.ErrClosed)
}

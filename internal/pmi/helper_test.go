package pmi

import (
	"net"
	"testing"

	"github.com/stretchr/testify/require"
)

// join connects a client to a server in this process and serves it.
func join(t *testing.T, s *Server, rank int) *Client {
	t.Helper()
	c, err := NewClient(t.Context(), dial(t, s, rank), rank, s.config.Size)
	require.NoError(t, err)
	return c
}

// dial serves rank on one end of a pipe and returns the other.
func dial(t *testing.T, s *Server, rank int) net.Conn {
	near, far := net.Pipe()
	served := make(chan struct{})
	go func() {
		defer close(served)
		s.ServeConn(rank, far)
	}()
	t.Cleanup(func() {
		_ = near.Close()
		<-served
	})
	return near
}

package tunnel

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"sync"

	"github.com/sctpmpi/sctpmpi/mpi/rpi/strangers"
)

// places bounds the connections that have not proven the secret, at a time.
const places = 256

// errCrowded says that a connection without a proof had to make room for another.
var errCrowded = fmt.Errorf("there are more than %d connections that have proven nothing", places)

// Accept waits for the connection of an mpirun that knows the secret, and closes l. It tells of others. It ends with ctx.
func (s *Secret) Accept(ctx context.Context, l net.Listener, stranger func(from net.Addr, err error)) (*Conn, error) {
	ctx, done := context.WithCancel(ctx)
	var proving sync.WaitGroup
	defer proving.Wait()
	defer done()
	defer context.AfterFunc(ctx, func() { _ = l.Close() })()

	proven, without := make(chan *Conn), strangers.New(places)
	accepting := make(chan error, 1)
	proving.Go(func() {
		for {
			raw, err := l.Accept()
			if err != nil {
				accepting <- err
				return
			}
			without.Enter(raw)
			proving.Go(func() {
				conn, err := s.prove(ctx, raw)
				if !without.Leave(raw) {
					err = errCrowded
				}
				if err == nil {
					select {
					case proven <- conn:
						return
					case <-ctx.Done():
					}
				} else if ctx.Err() == nil {
					stranger(raw.RemoteAddr(), err)
				}
				_ = raw.Close()
			})
		}
	})
	select {
	case conn := <-proven:
		_ = l.Close()
		if _, err := conn.Write([]byte{0}); err != nil {
			_ = conn.Close()
			return nil, err
		}
		return conn, nil
	case err := <-accepting:
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return nil, err
	}
}

func (s *Secret) prove(ctx context.Context, raw net.Conn) (*Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, attemptTime)
	defer cancel()
	keepAlive(raw)
	conn := newConn(raw, func(raw net.Conn) *tls.Conn { return tls.Server(raw, s.config) })
	return conn, conn.HandshakeContext(ctx)
}

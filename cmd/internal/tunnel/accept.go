package tunnel

import (
	"context"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"github.com/sctpmpi/sctpmpi/internal/unproven"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
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

	proven, without := make(chan *Conn), unproven.New(places)
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

// prove has the other end prove the secret. It ends with ctx.
func (s *Secret) prove(ctx context.Context, raw net.Conn) (*Conn, error) {
	defer context.AfterFunc(ctx, func() { _ = raw.Close() })()
	_ = raw.SetDeadline(time.Now().Add(attemptTime))
	keepAlive(raw)
	message := make([]byte, seal.MessageSize)
	if _, err := io.ReadFull(raw, message); err != nil {
		return nil, err
	}
	answer, keys, err := s.seal.Respond(parties, message)
	if err != nil {
		return nil, errOther
	}
	if _, err := raw.Write(answer); err != nil {
		return nil, err
	}
	conn := newConn(raw, keys, terms.Reversed())
	if _, err := io.ReadFull(conn, make([]byte, 1)); err != nil {
		return nil, err
	}
	return conn, raw.SetDeadline(time.Time{})
}

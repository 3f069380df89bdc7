package tunnel

import (
	"context"
	"errors"
	"io"
	"net"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
)

const (
	// pause is between two attempts to connect.
	pause = 200 * time.Millisecond
	// attemptTime is how long one may take, and how long a stranger may take to prove the secret.
	attemptTime = 10 * time.Second
)

// ErrUnanswered says that the other end has ended a connection without an answer. What forwards connections does that too while
// nothing listens behind it.
var ErrUnanswered = errors.New("it takes the connection and does not answer, as mpirun serve does when its secret is another one")

// Dial connects to a proxy, and tries again while it is not there: a container may not have been started, nor have its name. It
// tells of each attempt that fails, and goes on as long as failed says so. It ends with ctx.
func (s *Secret) Dial(ctx context.Context, address string, failed func(error) (goOn bool)) (*Conn, error) {
	for {
		conn, err := s.dial(ctx, address)
		if err == nil {
			return conn, nil
		}
		if ctx.Err() != nil || !failed(err) {
			return nil, err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// dial is one attempt.
func (s *Secret) dial(ctx context.Context, address string) (*Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, attemptTime)
	defer cancel()
	raw, err := new(net.Dialer).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	keepAlive(raw)
	limitUnanswered(raw, silence)
	stop := context.AfterFunc(ctx, func() { _ = raw.Close() })
	conn, err := s.introduce(raw)
	if !stop() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		_ = raw.Close()
		return nil, err
	}
	return conn, nil
}

// introduce proves the secret, and has the other end prove it.
func (s *Secret) introduce(raw net.Conn) (*Conn, error) {
	handshake, message, err := s.seal.Initiate(parties)
	if err != nil {
		return nil, err
	}
	answer := make([]byte, seal.MessageSize)
	if _, err = raw.Write(message); err == nil {
		_, err = io.ReadFull(raw, answer)
	}
	if err != nil {
		return nil, ErrUnanswered
	}
	keys, err := handshake.Finish(answer)
	if err != nil {
		return nil, errOther
	}
	conn := newConn(raw, keys, terms)
	if _, err = conn.Write([]byte{0}); err == nil {
		_, err = io.ReadFull(conn, make([]byte, 1))
	}
	return conn, err
}

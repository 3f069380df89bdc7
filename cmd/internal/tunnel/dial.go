package tunnel

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"time"
)

const (
	// pause is between two attempts to connect.
	pause = 200 * time.Millisecond
	// attemptTime is how long one may take, and how long a stranger may take to prove the secret.
	attemptTime = 10 * time.Second
)

// Dial connects to a proxy, and tries again while it is not there: a container may not have been started, nor have its name. It
// tells of each attempt that fails. Another secret ends it, and so does ctx.
func (s *Secret) Dial(ctx context.Context, address string, failed func(error)) (*Conn, error) {
	for {
		conn, err := s.dial(ctx, address)
		if err == nil {
			return conn, nil
		}
		if errors.Is(err, errOther) || ctx.Err() != nil {
			return nil, err
		}
		failed(err)
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// dial is one attempt. The proxy says a byte when it has accepted the connection, as TLS does not tell a client that it has been.
func (s *Secret) dial(ctx context.Context, address string) (*Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, attemptTime)
	defer cancel()
	raw, err := new(net.Dialer).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	keepAlive(raw)
	limitUnanswered(raw, silence)
	conn := newConn(raw, func(raw net.Conn) *tls.Conn { return tls.Client(raw, s.config) })
	if err = conn.HandshakeContext(ctx); err == nil {
		stop := context.AfterFunc(ctx, func() { _ = raw.Close() })
		_, err = io.ReadFull(conn, make([]byte, 1))
		if err == nil && !stop() {
			err = ctx.Err()
		}
	}
	if err != nil {
		_ = raw.Close()
		return nil, err
	}
	return conn, nil
}

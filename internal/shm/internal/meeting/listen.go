package meeting

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"sync"
	"syscall"
	"time"
)

// network is that of the sockets: SOCK_SEQPACKET.
const network = "unixpacket"

// Listener is where the peers of a process meet it.
type Listener struct {
	cfg      Config
	place    string
	name     string
	listener *net.UnixListener
	limit    time.Duration // of a handshake
	places   chan struct{} // one for each half-open meeting
	met      chan *Meeting
	context  context.Context
	close    context.CancelFunc
	running  sync.WaitGroup
}

// Listen begins to listen. The error is ErrNotSupported, or the system's.
func Listen(cfg Config) (*Listener, error) { return listen(cfg, HalfOpen, HandshakeTime) }

func listen(cfg Config, halfOpen int, limit time.Duration) (*Listener, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	identity, err := Here()
	if err != nil {
		return nil, err
	}
	salt := make([]byte, saltSize)
	rand.Read(salt) // never fails
	name := socketName(cfg.Token, cfg.Rank, salt)
	listener, err := net.ListenUnix(network, &net.UnixAddr{Name: name, Net: network})
	if err != nil {
		return nil, err
	}
	l := &Listener{
		cfg: cfg, place: identity + "/" + hex.EncodeToString(salt), name: name, listener: listener,
		limit: limit, places: make(chan struct{}, halfOpen), met: make(chan *Meeting),
	}
	l.context, l.close = context.WithCancel(context.Background())
	l.running.Go(l.run)
	return l, nil
}

// Place is what peers must know to meet this process: its identity and the salt of its socket's name, some 110
// characters without spaces. It is no secret, but the launcher's data has to be true: a wrong place costs shared memory.
func (l *Listener) Place() string { return l.place }

// Accept returns the next meeting that a peer has begun. It ends with the error of ctx, or ErrClosed.
func (l *Listener) Accept(ctx context.Context) (*Meeting, error) {
	select {
	case m := <-l.met:
		return m, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-l.context.Done():
		return nil, ErrClosed
	}
}

// Close ends the listening, and all handshakes. Meetings that Accept has returned are not its own. It may be called
// again.
func (l *Listener) Close() error {
	l.close()
	err := l.listener.Close()
	l.running.Wait()
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

func (l *Listener) run() {
	for {
		conn, err := l.listener.AcceptUnix()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // no descriptor is free: the dialer waits
			select {
			case <-time.After(pause):
				continue
			case <-l.context.Done():
				return
			}
		}
		process, err := peerOf(conn)
		if err != nil { // other users get no place
			conn.Close()
			continue
		}
		m := &Meeting{Process: process, conn: conn, maxBytes: l.cfg.MaxBytes, limit: l.limit}
		select {
		case l.places <- struct{}{}:
			l.running.Go(func() {
				l.handshake(m)
				<-l.places
			})
		case <-l.context.Done():
			m.Close()
			return
		}
	}
}

// handshake ends with a meeting for Accept, or without one.
func (l *Listener) handshake(m *Meeting) {
	release := bound(l.context, m.conn, l.limit)
	var err error
	m.Rank, err = l.cfg.respond(m.conn, l.name)
	release()
	if err != nil {
		m.Close()
		return
	}
	select {
	case l.met <- m:
	case <-l.context.Done():
		m.Close()
	}
}

// pause is between two attempts at what fails because of too many others.
const pause = 5 * time.Millisecond

// again calls attempt until its error is not one of these, or ctx ends.
func again(ctx context.Context, attempt func() error, passing ...syscall.Errno) error {
	for {
		err := attempt()
		temporary := false
		for _, e := range passing {
			temporary = temporary || errors.Is(err, e)
		}
		if !temporary {
			return err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return err
		}
	}
}

// Dial meets the peer of a rank that has published place. It ends with ctx, or after HandshakeTime for each step. If the
// error is ErrNoAnswer another attempt may succeed while ctx lasts; all others are final.
func Dial(ctx context.Context, cfg Config, peer int, place string) (*Meeting, error) {
	m, err := cfg.dial(ctx, peer, place)
	if err != nil {
		return nil, cause(ctx, err)
	}
	return m, nil
}

func (cfg *Config) dial(ctx context.Context, peer int, place string) (*Meeting, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	identity, err := Here()
	if err != nil {
		return nil, err
	}
	if difference := Difference(identity, place); difference != "" {
		return nil, fmt.Errorf("%w: %s", ErrElsewhere, difference)
	}
	salt, err := saltOf(place)
	if err != nil {
		return nil, err
	}
	name := socketName(cfg.Token, peer, salt)
	var conn net.Conn
	err = again(ctx, func() (err error) {
		conn, err = new(net.Dialer).DialContext(ctx, network, name)
		return err
	}, syscall.EAGAIN) // too many dialers wait
	if err != nil {
		return nil, noAnswer(err)
	}
	m := &Meeting{Rank: peer, Process: noProcess, conn: conn.(*net.UnixConn), maxBytes: cfg.MaxBytes, limit: HandshakeTime}
	release := bound(ctx, m.conn, m.limit)
	defer release()
	if m.Process, err = initiate(m.conn, cfg, peer, name); err != nil {
		m.Close()
		return nil, err
	}
	return m, nil
}

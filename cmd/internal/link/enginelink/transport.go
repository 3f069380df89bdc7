// Package enginelink is the link over the embedded SCTP engine.
//
// Messages are sent in batches of 64. Those of 64 KiB and more are sent without a copy, shorter
// ones are copied by the engine. The receiver takes messages in pieces as they arrive. Like the
// link over bare UDP, it spins on the socket for some 100 microseconds before it blocks. Package driver drives the socket, as it
// does for MPI.
package enginelink

import (
	"errors"
	"io"

	"github.com/sctpmpi/sctpmpi/cmd/internal/link"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Transport makes links over SCTP. It is a link.IdleDialer, its links are link.IdleAcceptors.
type Transport struct{}

// Listen implements link.Transport.
func (Transport) Listen(o link.Options, announce func(string)) (link.Link, error) {
	s, err := open(o)
	if err != nil {
		return nil, err
	}
	announce(s.LocalAddrs()[0].String())
	l, err := newSCTP(s)
	if err != nil {
		return nil, err
	}
	return up(l)
}

// Dial implements link.Transport.
func (Transport) Dial(o link.Options, addr string) (link.Link, error) {
	l, err := dial(o, addr)
	if err != nil {
		return nil, err
	}
	return up(l)
}

// dial begins an association.
func dial(o link.Options, addr string) (*sctp, error) {
	peer, err := socket.ParseAddr(addr)
	if err != nil {
		return nil, err
	}
	s, err := open(o)
	if err != nil {
		return nil, err
	}
	l, err := newSCTP(s)
	if err != nil {
		return nil, err
	}
	if l.peer, err = s.Connect(peer); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// up waits for the association.
func up(l *sctp) (link.Link, error) {
	for !l.established {
		if err := l.poll(); err != nil {
			return nil, errors.Join(err, l.Close())
		}
	}
	return l, nil
}

// idle is a set of idle links.
type idle []*sctp

// concurrent is how many idle links are set up at the same time. It is so small that no packet is
// lost because the other end's buffer is full.
const concurrent = 50

// DialIdle implements link.IdleDialer.
func (Transport) DialIdle(addr string, count int) (_ io.Closer, err error) {
	all := make(idle, 0, count)
	for first := 0; len(all) < count; first = len(all) {
		for len(all) < min(first+concurrent, count) {
			l, err := dial(link.Options{}, addr)
			if err != nil {
				return nil, errors.Join(err, all.Close())
			}
			all = append(all, l)
		}
		for _, l := range all[first:] {
			for !l.established {
				if err := l.poll(); err != nil {
					return nil, errors.Join(err, all.Close())
				}
			}
		}
	}
	return all, nil
}

func (all idle) Close() error {
	var errs []error
	for _, l := range all {
		errs = append(errs, l.Close())
	}
	return errors.Join(errs...)
}

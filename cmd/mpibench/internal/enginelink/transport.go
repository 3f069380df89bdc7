// Package enginelink is the link over the embedded SCTP engine.
//
// Messages of 64 KiB and more are lent to the engine, shorter ones copied by it, in
// batches of 64. The receiver takes messages in pieces as they arrive. Like the link
// over bare UDP, it spins on the socket for some 100 microseconds before it waits.
package enginelink

import (
	"context"
	"errors"
	"io"

	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/link"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Transport makes links over SCTP. It is a link.Crowder, its links are Admitters.
type Transport struct{}

// Listen implements link.Transport.
func (Transport) Listen(o link.Options, announce func(string)) (link.Link, error) {
	s, err := open(o)
	if err != nil {
		return nil, err
	}
	announce(s.LocalAddrs()[0].String())
	return up(newSCTP(s, 0))
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
	id, err := s.Connect(peer)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return newSCTP(s, id), nil
}

// up waits for the association.
func up(l *sctp) (link.Link, error) {
	for !l.established {
		if err := l.wait(context.Background()); err != nil {
			return nil, errors.Join(err, l.Close())
		}
	}
	return l, nil
}

// crowd has many links.
type crowd []*sctp

// concurrent is how many set-ups a crowd has under way, so that none is lost for want
// of buffer at the other end.
const concurrent = 50

// Crowd implements link.Crowder.
func (Transport) Crowd(addr string, count int) (_ io.Closer, err error) {
	c := make(crowd, 0, count)
	for first := 0; len(c) < count; first = len(c) {
		for len(c) < min(first+concurrent, count) {
			l, err := dial(link.Options{}, addr)
			if err != nil {
				return nil, errors.Join(err, c.Close())
			}
			c = append(c, l)
		}
		for _, l := range c[first:] {
			for !l.established {
				if err := l.wait(context.Background()); err != nil {
					return nil, errors.Join(err, c.Close())
				}
			}
		}
	}
	return c, nil
}

func (c crowd) Close() error {
	var errs []error
	for _, l := range c {
		errs = append(errs, l.Close())
	}
	return errors.Join(errs...)
}

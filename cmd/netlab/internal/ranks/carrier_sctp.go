package ranks

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine"
	"github.com/sctpmpi/sctpmpi/sctprpi/kernel"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// sctpCarrier is a one-to-many socket with one association.
type sctpCarrier struct {
	socket.Socket
	udp bool

	assoc socket.AssocID
	up    chan struct{} // closed when the association is up
	room  chan struct{} // has an element when there is room again
	watch sync.WaitGroup
	err   error // of the goroutine that watches, once it has ended
}

// sctpConfig is that of the MPI transports: package sctprpi.
var sctpConfig = socket.Config{
	RTOMax: 2 * time.Second, AssocRetransmissions: 8, PathRetransmissions: 4, Heartbeat: 5 * time.Second, WholeMessages: true,
}

func openSCTP(kind string, own []netip.Addr) (*sctpCarrier, error) {
	c := &sctpCarrier{udp: kind == "engine", up: make(chan struct{}), room: make(chan struct{}, 1)}
	var err error
	switch kind {
	case "engine":
		c.Socket, err = engine.Listen(engine.Config{Config: sctpConfig, Addrs: own, UDPPort: port})
	case "kernel":
		c.Socket, err = kernel.Listen(kernel.Config{Config: sctpConfig, Addrs: own, Port: port})
	default:
		err = fmt.Errorf("%s=%q: it must be engine, kernel or tcp", SocketVariable, kind)
	}
	return c, err
}

// connect makes the association. From then on a goroutine watches it.
func (c *sctpCarrier) connect(peer []netip.Addr) error {
	var addrs []socket.Addr
	for _, ip := range peer {
		a := socket.Addr{IP: ip, Port: port}
		if c.udp {
			a.UDP = port
		}
		addrs = append(addrs, a)
	}
	var err error
	if c.assoc, err = c.Connect(addrs...); err != nil {
		return err
	}
	c.watch.Go(func() {
		c.err = c.events(func(e *socket.Event) error {
			switch e.Kind {
			case socket.Up:
				close(c.up)
			case socket.Writable:
				select {
				case c.room <- struct{}{}:
				default:
				}
			}
			return nil
		})
		close(c.room)
	})
	select {
	case <-c.up:
		return nil
	case <-c.room:
		return c.err
	}
}

// events hands events to f until f, the socket or the association has an end.
func (c *sctpCarrier) events(f func(e *socket.Event) error) error {
	events := make([]socket.Event, 64)
	for {
		if err := c.Wait(context.Background()); err != nil {
			return err
		}
		n, err := c.Receive(events)
		if err != nil {
			return err
		}
		for i := range events[:n] {
			e := &events[i]
			err := f(e)
			e.Release()
			if e.Kind == socket.Lost || e.Kind == socket.Aborted {
				err = errors.Join(fmt.Errorf("the association has ended: %v", e.Kind), e.Err)
			}
			if err != nil {
				return err
			}
		}
	}
}

func (c *sctpCarrier) send(data []byte) error {
	for {
		_, err := c.Send(c.assoc, []socket.Message{{Data: [][]byte{data}}})
		if !errors.Is(err, socket.ErrWouldBlock) {
			return err
		}
		if _, ok := <-c.room; !ok {
			return c.err
		}
	}
}

// errAll ends receive.
var errAll = errors.New("all messages are there")

func (c *sctpCarrier) receive(n int, arrived func(data []byte) error) error {
	err := c.events(func(e *socket.Event) error {
		if e.Kind != socket.Data {
			return nil
		}
		if err := arrived(e.Payload); err != nil {
			return err
		}
		if n--; n == 0 {
			return errAll
		}
		return nil
	})
	if errors.Is(err, errAll) {
		return nil
	}
	return err
}

// Close closes the socket.
func (c *sctpCarrier) Close() error {
	err := c.Socket.Close()
	c.watch.Wait()
	return err
}

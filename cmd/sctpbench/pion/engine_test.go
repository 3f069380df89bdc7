package main

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/pion/sctp"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// lendFrom is the size in bytes from which the engine sends messages without a copy.
const lendFrom = 16 << 10

// ours is the engine's end.
type ours struct {
	socket   socket.Socket
	id       socket.AssocID
	writable chan struct{}
}

// until handles events until the handler reports that it is done.
func (o *ours) until(ctx context.Context, handle func(*socket.Event) (done bool, err error)) error {
	events := make([]socket.Event, 64)
	for {
		n, err := o.socket.Receive(events)
		if err != nil {
			return err
		}
		finished := false
		for i := range events[:n] {
			done, wrong := handle(&events[i])
			finished = finished || done
			err = errors.Join(err, wrong)
			events[i].Release()
		}
		if finished || err != nil {
			return err
		}
		if n == 0 {
			if err := o.socket.Wait(ctx); err != nil {
				return errors.Join(err, context.Cause(ctx))
			}
		}
	}
}

func (o *ours) established(ctx context.Context) error {
	return o.until(ctx, func(e *socket.Event) (bool, error) {
		if e.Kind != socket.Up {
			return false, fmt.Errorf("event %d instead of Up: %w", e.Kind, e.Err)
		}
		o.id = e.Assoc
		return true, nil
	})
}

// closed waits for the end of the association and returns its event. The end is graceful, unless
// the network has lost pion's last packet, which pion does not retransmit once it has closed.
func (o *ours) closed(ctx context.Context) (end socket.Event, err error) {
	err = o.until(ctx, func(e *socket.Event) (bool, error) {
		switch e.Kind {
		case socket.Closed, socket.Aborted, socket.Lost:
			end = *e
			return true, nil
		case socket.PeerShutdown, socket.PathDown, socket.PathUp:
			return false, nil
		case socket.Released: // of the last messages
			if e.Outcome != socket.Acknowledged {
				return false, fmt.Errorf("a message sent without a copy was released with outcome %d", e.Outcome)
			}
			return false, nil
		}
		return false, fmt.Errorf("event %d instead of Closed: %w", e.Kind, e.Err)
	})
	return end, err
}

func (o *ours) send(ctx context.Context, t traffic) error {
	for i := 0; i < len(t); {
		m := socket.Message{
			Stream: socket.StreamID(t[i].stream), PPID: socket.PPID(sctp.PayloadTypeWebRTCBinary),
			Data: [][]byte{t[i].content},
		}
		if len(t[i].content) >= lendFrom {
			m.ZeroCopy, m.Owner = true, o
		}
		n, err := o.socket.Send(o.id, []socket.Message{m})
		i += n
		switch {
		case errors.Is(err, socket.ErrWouldBlock):
			select {
			case <-o.writable:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		case err != nil:
			return fmt.Errorf("the engine sends message %d: %w", i, err)
		}
	}
	return nil
}

// receive receives all messages, and handles other events until sending is over. Messages that were
// sent without a copy must be acknowledged.
func (o *ours) receive(ctx, sending context.Context, t traffic) error {
	var checks [streams]check
	for i, expected := range t.of() {
		checks[i].rest = expected
	}
	missing := len(t)
	handle := func(e *socket.Event) (bool, error) {
		switch e.Kind {
		case socket.Data:
			if int(e.Stream) >= streams || e.Broken {
				return false, fmt.Errorf("the engine receives a piece of stream %d, broken: %t", e.Stream, e.Broken)
			}
			if e.End {
				missing--
			}
			if err := checks[e.Stream].piece(e.Payload, e.Begin, e.End); err != nil {
				return false, fmt.Errorf("the engine receives: %w", err)
			}
		case socket.Writable:
			select {
			case o.writable <- struct{}{}:
			default:
			}
		case socket.Released:
			if e.Outcome != socket.Acknowledged {
				return false, fmt.Errorf("a message sent without a copy was released with outcome %d", e.Outcome)
			}
		default:
			return false, fmt.Errorf("event %d when %d messages were missing: %w", e.Kind, missing, e.Err)
		}
		return missing == 0, nil
	}
	if err := o.until(ctx, handle); err != nil {
		return err
	}
	err := o.until(sending, func(e *socket.Event) (bool, error) {
		_, err := handle(e)
		return false, err
	})
	if sending.Err() != nil && ctx.Err() == nil {
		return nil
	}
	return err
}

// report logs the state of the engine's end after a failed test.
func (o *ours) report(t *testing.T) {
	if !t.Failed() {
		return
	}
	status, err := o.socket.Status(o.id)
	t.Logf("the engine's end: %+v %v", status, err)
}

package lab

import (
	"context"
	"encoding/gob"
	"io"

	"github.com/sctpmpi/sctpmpi/internal/netem/lab/internal/wire"
)

// sender sends messages to the guest, no faster than it reads them.
type sender struct {
	queue   chan wire.ToGuest
	credits chan struct{} // holds an element for each chunk of input that may be sent
	reads   chan int      // bytes that the guest has read
	stopped <-chan struct{}
}

// newSender returns a sender that stops, whatever is still to be sent, when ctx ends.
func newSender(ctx context.Context, conn io.Writer) *sender {
	s := &sender{
		// What there can be at a time: the command, input, its end, and acknowledgements of output.
		queue:   make(chan wire.ToGuest, 2*wire.Credits+2),
		credits: make(chan struct{}, wire.Credits),
		reads:   make(chan int, wire.InputWindow),
		stopped: ctx.Done(),
	}
	for range wire.Credits {
		s.credit()
	}
	go s.run(gob.NewEncoder(&window{conn: conn, sender: s}))
	return s
}

func (s *sender) run(out *gob.Encoder) {
	for {
		select {
		case m := <-s.queue:
			if out.Encode(m) != nil {
				return
			}
		case <-s.stopped:
			return
		}
	}
}

// send has a message sent. Like read and credit it does not block, unless a program in the lab has got hold of the line.
func (s *sender) send(m wire.ToGuest) {
	select {
	case s.queue <- m:
	case <-s.stopped:
	}
}

// read notes bytes that the guest has read.
func (s *sender) read(n int) {
	select {
	case s.reads <- n:
	case <-s.stopped:
	}
}

// credit allows another chunk of input.
func (s *sender) credit() {
	select {
	case s.credits <- struct{}{}:
	case <-s.stopped:
	}
}

// input passes standard input on, a chunk for each credit, until it or the lab ends.
func (s *sender) input(stdin io.Reader) {
	for {
		select {
		case <-s.credits:
		case <-s.stopped:
			return
		}
		chunk := make([]byte, wire.ChunkSize)
		n, err := stdin.Read(chunk)
		if n > 0 {
			s.send(wire.ToGuest{Stdin: chunk[:n]})
		} else {
			s.credit()
		}
		if err != nil {
			s.send(wire.ToGuest{EOF: true})
			return
		}
	}
}

// window writes no more than the guest has room for.
type window struct {
	conn io.Writer
	*sender
	unread int
}

func (w *window) Write(p []byte) (int, error) {
	written := 0
	for written < len(p) {
		for w.unread == wire.InputWindow {
			select {
			case n := <-w.reads:
				w.unread -= n
			case <-w.stopped:
				return written, io.ErrClosedPipe
			}
		}
		n, err := w.conn.Write(p[written:min(len(p), written+wire.InputWindow-w.unread)])
		written += n
		w.unread += n
		if err != nil {
			return written, err
		}
	}
	return written, nil
}

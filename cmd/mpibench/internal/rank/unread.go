package rank

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// Unread is what the first rank sends to the second, which does not receive it: Messages of Size bytes with each of Tags
// tags.
type Unread struct {
	Tags     int `json:"tags,omitempty"`
	Messages int `json:"messages,omitempty"`
	Size     int `json:"size,omitempty"`
}

// pushback measures the rate of a flood with one tag alone, then beside messages that the receiver does not read, and
// alone again when these have been received. The receiver's memory for what it does not read is measured meanwhile.
func pushback(s *session) (Figures, error) {
	before, err := flood(s)
	if err != nil {
		return nil, err
	}
	unread, err := s.leaveUnread()
	if err != nil {
		return nil, err
	}
	f, err := flood(s)
	if err != nil {
		return nil, err
	}
	if err := unread.receive(s); err != nil {
		return nil, err
	}
	debug.FreeOSMemory() // perhaps a gigabyte
	after, err := flood(s)
	if err != nil || !s.first() {
		return nil, err
	}
	f["alone_msgs_s"] = (before["msgs_s"] + after["msgs_s"]) / 2
	f["kept"] = f["msgs_s"] / f["alone_msgs_s"]
	f["sent"] = unread.sent
	const mib = 1 << 20
	f["held_mib"], f["memory_mib"], f["garbage_mib"], f["kernel_mib"] = unread.held/mib, unread.resident/mib, unread.garbage/mib, unread.kernel/mib
	return f, nil
}

// unread is what has been sent and not received.
type unread struct {
	out      []byte
	requests []*mpi.Request
	// sent is the share of the sends that have completed.
	sent float64
	// What the receiver holds, and by how much its memory and the kernel's has grown for it, in bytes.
	held, resident, garbage, kernel float64
}

// leaveUnread sends messages, and returns when no more of them go to the receiver.
func (s *session) leaveUnread() (*unread, error) {
	u := new(unread)
	before := memoryNow()
	if err := s.meet(); err != nil {
		return nil, err
	}
	var err error
	if s.first() {
		err = u.send(s)
	} else {
		err = s.reportHeld()
	}
	if err != nil {
		return nil, err
	}
	after := memoryNow()
	grown := []float64{
		float64(after.resident - before.resident), float64(after.garbage - before.resident), float64(after.kernel - before.kernel),
	}
	if !s.first() {
		return u, mpi.Send(s.world, grown, s.peer(), tagControl)
	}
	_, err = mpi.Recv(s.world, grown, s.peer(), tagControl)
	u.resident, u.garbage, u.kernel = grown[0], grown[1], grown[2]
	return u, err
}

// Once no send has completed, and nothing has come to the receiver, for so many looks, nothing more will.
const (
	look  = 10 * time.Millisecond
	looks = 20
)

// send sends the messages, and waits until what the receiver has of them does not become more.
func (u *unread) send(s *session) error {
	u.out = make([]byte, s.Unread.Size)
	for range s.Unread.Messages {
		for tag := range s.Unread.Tags {
			r, err := mpi.Isend(s.world, u.out, s.peer(), tagUnmatchedBase+tag)
			if err != nil {
				return err
			}
			u.requests = append(u.requests, r)
		}
	}
	for quiet := 0; quiet < looks; quiet++ {
		time.Sleep(look)
		held, err := s.askHeld(true)
		if err != nil {
			return err
		}
		if sent := u.completed(); sent != u.sent || held != u.held {
			u.sent, u.held, quiet = sent, held, 0
		}
	}
	_, err := s.askHeld(false)
	return err
}

// completed is the share of sends that have completed.
func (u *unread) completed() float64 {
	n := 0
	for _, r := range u.requests {
		select {
		case <-r.Done():
			n++
		default:
		}
	}
	return float64(n) / float64(len(u.requests))
}

// askHeld asks the receiver how much it holds.
func (s *session) askHeld(again bool) (float64, error) {
	question, held := []byte{0}, []float64{0}
	if again {
		question[0] = 1
	}
	if err := mpi.Send(s.world, question, s.peer(), tagAnswer); err != nil || !again {
		return 0, err
	}
	_, err := mpi.Recv(s.world, held, s.peer(), tagAnswer)
	return held[0], err
}

// reportHeld answers askHeld until the sender does not ask again.
func (s *session) reportHeld() error {
	for {
		question := []byte{0}
		if _, err := mpi.Recv(s.world, question, s.peer(), tagAnswer); err != nil || question[0] == 0 {
			return err
		}
		if err := mpi.Send(s.world, []float64{float64(s.world.Usage().Held)}, s.peer(), tagAnswer); err != nil {
			return err
		}
	}
}

// receive receives what was not read.
func (u *unread) receive(s *session) error {
	if s.first() {
		_, err := mpi.WaitAll(context.Background(), u.requests...)
		u.out, u.requests = nil, nil
		return errors.Join(err, s.meet())
	}
	in := make([]byte, s.Unread.Size)
	for i := range s.Unread.Messages {
		for tag := range s.Unread.Tags {
			status, err := mpi.Recv(s.world, in, s.peer(), tagUnmatchedBase+tag)
			if err != nil {
				return err
			}
			if status.Bytes != len(in) {
				return fmt.Errorf("message %d with tag %d has %d bytes of %d", i, tag, status.Bytes, len(in))
			}
		}
	}
	return s.meet()
}

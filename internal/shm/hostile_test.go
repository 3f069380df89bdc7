package shm

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/internal/shm/internal/onecopy"
	"github.com/sctpmpi/sctpmpi/internal/shm/internal/ring"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// stepBytes is the length of a step of a hostile peer: what this rank does before, the length of the record's body, twice a
// byte, and the record's header.
const stepBytes = 3 + ring.HeaderSize

// FuzzHostileRecords puts whatever a member of the job may write into the ring to a link, between operations of its own
// process: it must not panic, nor work for ever, and its requests end when the peer does.
func FuzzHostileRecords(f *testing.F) {
	add := func(headers ...recordHeader) {
		script := []byte{0}
		for i, h := range headers {
			script = append(append(script, byte(i+1), loanSize, 0), h[:]...)
		}
		f.Add(script)
	}
	frame := func(f header.Header) (h recordHeader) {
		header.Append(h[:0], &f)
		return h
	}
	lend := func(h recordHeader) recordHeader {
		h[0] |= lent
		return h
	}
	eager := frame(header.Header{Kind: header.Eager, Tag: 1, Length: 64, ElemSize: 1, Type: 1})
	add(eager, moreHeader, eager)
	add(moreHeader)
	add(lend(eager), returnedHeader(0), returnedHeader(1<<31))
	add(lend(frame(header.Header{Kind: header.Bye})))
	add(lend(eager), unreadableHeader(0), unreadableHeader(0))
	add(eager, lend(eager))
	add(lend(frame(header.Header{Kind: header.RTS, Tag: 1, Length: 1 << 40, ElemSize: 1, Type: 1, SendID: 1})))
	add(frame(header.Header{Kind: header.CTS, SendID: 1, RecvID: 1}), returnedHeader(0), returnedHeader(0))
	add(lend(frame(header.Header{Kind: header.Body, RecvID: 1, Length: 1 << 63})))
	f.Fuzz(func(t *testing.T, script []byte) {
		if len(script) == 0 {
			return
		}
		s := newSide(t, 0)
		in, err := s.link.useInbox(onHeap)
		require.NoError(t, err)
		pair := heap(ring.PairSize(2))
		require.NoError(t, formatPair(pair))
		e, err := newEnd(pair, in.memory, true, 0, 2)
		require.NoError(t, err)
		hostile, err := newEnd(pair, in.memory, false, 1, 2)
		require.NoError(t, err)
		e.neighbour, e.lends = stranger{}, script[0]&1 == 0
		p := s.use(t, e)
		var requests []*rpi.Request
		var body [1 << 16]byte
		for script = script[1:]; len(script) >= stepBytes; script = script[stepBytes:] {
			switch script[0] % 4 {
			case 1:
				requests = append(requests, s.start(rpi.OpRecv, 1, make([]byte, 64), false))
			case 2:
				requests = append(requests, s.start(rpi.OpSend, 1, make([]byte, 20<<10), false))
			case 3:
				requests = append(requests, s.start(rpi.OpSend, 1, make([]byte, 100<<10), false))
			}
			h := recordHeader(script[3:])
			length := min(int(script[1])|int(script[2])<<8, hostile.out.Limit())
			_, err := hostile.out.Put(&h, body[:length])
			require.NoError(t, err)
			hostile.notifier.Notify()
			for range 1000 { // a bound: a record has not so much work
				if !s.link.poll(1) {
					break
				}
			}
			require.False(t, s.link.poll(1), "it finds something to do again and again")
			var theirs ring.Frame
			for some := true; some; {
				some, err = hostile.in.Next(&theirs)
				require.NoError(t, err)
			}
			hostile.in.Done()
		}
		s.link.update(func() { s.link.fail(p, errLeft) })
		require.Error(t, s.layer.Failed(1))
		for _, r := range requests {
			require.True(t, r.Completed())
		}
	})
}

// stranger is a neighbour some of whose memory can be read.
type stranger struct{}

func (stranger) lend(uint32, []byte) uint64 { return 0 }
func (stranger) returned(uint32)            {}
func (stranger) read(dst []byte, _ uint32, address uint64, offset int) error {
	if address+uint64(offset)+uint64(len(dst)) > 1<<20 {
		if address&1 == 0 {
			return onecopy.ErrRange
		}
		return errors.New("there is no memory")
	}
	return nil
}
func (stranger) wake()   {}
func (stranger) leave()  {}
func (stranger) close()  {}
func (stranger) forget() {}

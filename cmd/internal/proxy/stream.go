package proxy

import (
	"io"
	"sync"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/frame"
)

const (
	// window is how many bytes of a stream may be under way, or wait to be read, in each direction.
	window = 64 << 10
	// piece is how many bytes of a stream one frame has at most.
	piece = 16 << 10
)

// Stream is the bytes that a rank writes or reads, on their way between two hosts. An end that does not read holds up its
// own stream and no other.
type Stream struct {
	conn *conn
	rank uint32
	id   frame.Stream

	mu     sync.Mutex
	change *sync.Cond
	in     []byte // has come and has not been read
	taken  int    // bytes read for which no credit has been given back
	inEnd  bool   // nothing more comes
	credit int    // bytes that may still be sent
	outEnd bool   // nothing more is to be sent
}

func newStream(c *conn, rank uint32, id frame.Stream) *Stream {
	s := &Stream{conn: c, rank: rank, id: id, credit: window}
	s.change = sync.NewCond(&s.mu)
	return s
}

// arrive takes bytes in. It reports whether they were allowed to come.
func (s *Stream) arrive(b []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.in)+s.taken+len(b) > window {
		return false
	}
	if !s.inEnd {
		s.in = append(s.in, b...)
		s.change.Broadcast()
	}
	return true
}

// stop notes that nothing more comes, or is to be sent, or both.
func (s *Stream) stop(in, out bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inEnd, s.outEnd = s.inEnd || in, s.outEnd || out
	s.change.Broadcast()
}

// end notes that nothing more comes.
func (s *Stream) end() { s.stop(true, false) }

// grant takes credit back. It reports whether there can be so much.
func (s *Stream) grant(n uint32) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if uint64(n) > uint64(window-s.credit) {
		return false
	}
	s.credit += int(n)
	s.change.Broadcast()
	return true
}

// unread reports whether bytes have come that have not been read.
func (s *Stream) unread() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.in) > 0
}

// fail ends the stream in both directions. What has come can still be read.
func (s *Stream) fail() { s.stop(true, true) }

// failWriting notes that nothing more can be sent.
func (s *Stream) failWriting() { s.stop(false, true) }

// Read waits for bytes. It returns [io.EOF] at the end of the stream.
func (s *Stream) Read(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.in) == 0 {
		if s.inEnd {
			return 0, io.EOF
		}
		s.change.Wait()
	}
	n := copy(b, s.in)
	s.in = s.in[:copy(s.in, s.in[n:])]
	if s.taken += n; s.taken >= window/2 {
		s.conn.send(frame.Frame{Kind: frame.Credit, Stream: s.id, Rank: s.rank, Payload: frame.CreditOf(s.taken)})
		s.taken = 0
	}
	return n, nil
}

// Write sends bytes, and waits while there is no credit.
func (s *Stream) Write(b []byte) (int, error) {
	sent := 0
	for sent < len(b) {
		n := s.reserve(len(b) - sent)
		if n == 0 {
			return sent, io.ErrClosedPipe
		}
		s.data(b[sent : sent+n])
		sent += n
	}
	return sent, nil
}

// reserve waits for credit and takes n bytes of it at most; 0 if nothing can be sent any more.
func (s *Stream) reserve(n int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.credit == 0 && !s.outEnd {
		s.change.Wait()
	}
	if s.outEnd {
		return 0
	}
	n = min(n, piece, s.credit)
	s.credit -= n
	return n
}

func (s *Stream) data(b []byte) {
	s.queue(frame.Frame{Kind: frame.Data, Stream: s.id, Rank: s.rank, Payload: b})
}

func (s *Stream) queue(f frame.Frame) { s.conn.queue(f, s.id == frame.PMI) }

// Close ends the stream in both directions.
func (s *Stream) Close() error {
	s.mu.Lock()
	ended := s.outEnd
	s.mu.Unlock()
	s.fail()
	if !ended {
		s.queue(frame.Frame{Kind: frame.End, Stream: s.id, Rank: s.rank})
	}
	return nil
}

// SetReadDeadline does nothing: a stream ends with its connection at the latest.
func (s *Stream) SetReadDeadline(time.Time) error { return nil }

// pump sends what it reads from source until that ends, and then the end of the stream.
func (s *Stream) pump(source io.Reader) {
	defer s.Close()
	buffer := make([]byte, piece)
	for {
		n, err := source.Read(buffer)
		if n > 0 {
			if _, err := s.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

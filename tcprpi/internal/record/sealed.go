package record

import (
	"syscall"

	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// sealed is a Stream in records. It has a buffer only while a record is on its way through it.
type sealed struct {
	fd     int
	cipher *Cipher
	meter  *socket.Meter
	writer
	reader
}

// writer is the record that is leaving, or two.
type writer struct {
	record []byte // the bytes that have not left, nil if all have
	place  []byte // the buffer that they lie in
	taken  int    // length of the payload
}

// Write implements Stream: it makes a record, and says that its bytes have left when all of the record has.
func (s *sealed) Write(v *socket.Vector) (int, error) {
	if s.record == nil {
		if v.Len() == 0 {
			return 0, nil
		}
		if err := s.pack(v); err != nil {
			return 0, err
		}
	}
	for {
		s.meter.Writes.Add(1)
		n, err := socket.Send(s.fd, s.record)
		if s.record = s.record[n:]; err != nil {
			return 0, err
		}
		if len(s.record) == 0 {
			left := s.taken
			giveBack(s.place)
			s.writer = writer{}
			return left, nil
		}
	}
}

// pack makes a record of the first bytes of a list, or two: if they are many, the first few have one of their own. So a receiver
// that must see an envelope to know what to do with the body need not take the body for that.
func (s *sealed) pack(v *socket.Vector) error {
	s.place, s.taken = take(one), 0
	if v.Len() > small-Overhead {
		if err := s.add(v, opening); err != nil {
			return err
		}
	}
	return s.add(v, MaxPayload)
}

// add makes a record of the next bytes of a list, of which it takes most at most.
func (s *sealed) add(v *socket.Vector, most int) error {
	begin := len(s.record)
	b := s.place[begin:]
	n := v.Copy(b[headerSize:headerSize+min(most, MaxPayload-s.taken)], s.taken)
	b, err := s.cipher.seal(b[:headerSize+n])
	s.record, s.taken = s.place[:begin+len(b)], s.taken+n
	return err
}

// Taken implements Stream.
func (s *sealed) Taken() int { return s.taken }

// End implements Stream: a record without payload is the last one.
func (s *sealed) End() bool {
	if s.record != nil || !socket.Writable(s.fd) {
		return false
	}
	b, err := s.cipher.seal(make([]byte, headerSize, Overhead))
	if err == nil {
		s.meter.Writes.Add(1)
		_, _ = socket.Send(s.fd, b) // if that fails the connection is broken
	}
	return true
}

// reader is what has come and has not been handed out: first payload, which is decrypted, then raw, all of it in place.
type reader struct {
	payload, raw []byte
	buffer       []byte // nil if there is neither
	drained      bool   // the kernel had no more
	ended        bool   // the record without payload has come
	failed       error
}

// Read implements Stream.
func (s *sealed) Read(v *socket.Vector) (total int, err error) {
	s.drained = false
	empty := false
	for {
		if len(s.payload) > 0 {
			n := v.Scatter(s.payload)
			s.payload = s.payload[n:]
			total += n
		}
		if len(s.payload) > 0 || total == v.Len() && total > 0 {
			break // the list is full
		}
		opened, err := s.unpack()
		if err != nil {
			s.release()
			return total, err
		}
		if opened {
			continue
		}
		if s.drained && total > 0 {
			break
		}
		if empty {
			s.release()
			return 0, syscall.EAGAIN
		}
		switch n, err := s.receive(v.Len()); {
		case err == syscall.EAGAIN:
			s.drained, empty = true, true
		case err != nil || n == 0:
			if err == nil && !s.ended {
				err = ErrCut
			}
			return total, err // an orderly end is still there when it is looked for again
		}
	}
	s.release()
	return total, nil
}

// Buffered implements Stream. What is raw may be less than a record.
func (s *sealed) Buffered() bool { return len(s.payload)+len(s.raw) > 0 || s.failed != nil }

// unpack opens the next record, if all of it is there.
func (s *sealed) unpack() (bool, error) {
	if s.failed != nil {
		return false, s.failed
	}
	n, err := size(s.raw)
	if err == nil && (n == 0 || n > len(s.raw)) {
		return false, nil
	}
	if err == nil {
		s.payload, err = s.cipher.open(s.raw[:n])
	}
	if err == nil && s.ended {
		err = ErrChanged // something after the end
	}
	if err != nil {
		s.failed, s.payload, s.raw = err, nil, nil
		return false, err
	}
	s.raw = s.raw[n:]
	s.ended = len(s.payload) == 0
	return true, nil
}

// receive reads from the kernel once, behind the raw bytes. A call that asks for little leaves the rest to the kernel, but for
// the record that it is in.
func (s *sealed) receive(asked int) (int, error) {
	need := small
	if n, _ := size(s.raw); n > small {
		need = one
	}
	if asked > small {
		need = large
	}
	if len(s.buffer) < need {
		s.move(take(need))
	} else if len(s.raw) > 0 && &s.raw[0] != &s.buffer[0] {
		s.raw = s.buffer[:copy(s.buffer, s.raw)]
	}
	have := len(s.raw)
	s.meter.Reads.Add(1)
	n, err := socket.Receive(s.fd, s.buffer[have:])
	s.raw = s.buffer[:have+n]
	s.drained = have+n < len(s.buffer)
	return n, err
}

// move moves the raw bytes to another buffer. There is no payload.
func (s *sealed) move(to []byte) {
	s.raw = to[:copy(to, s.raw)]
	giveBack(s.buffer)
	s.buffer = to
}

// release gives back a buffer that is not needed, or is much too long.
func (s *sealed) release() {
	n := len(s.payload) + len(s.raw)
	switch {
	case n == 0:
		giveBack(s.buffer)
		s.buffer, s.payload, s.raw = nil, nil, nil
	case n <= small && len(s.buffer) > small:
		to := take(small)
		k := copy(to, s.payload)
		m := copy(to[k:], s.raw)
		giveBack(s.buffer)
		s.buffer, s.payload, s.raw = to, to[:k], to[k:k+m]
	}
}

// Waiting implements Stream. It takes what the kernel has, to see where records end.
func (s *sealed) Waiting() (int, error) {
	kernel, err := socket.Waiting(s.fd)
	if err != nil {
		return 0, err
	}
	k, m := len(s.payload), len(s.raw)
	to := make([]byte, k+m+kernel)
	copy(to[copy(to, s.payload):], s.raw)
	giveBack(s.buffer)
	s.buffer = to
	for end := k + m; end < len(to); {
		s.meter.Reads.Add(1)
		n, err := socket.Receive(s.fd, to[end:])
		if err != nil || n == 0 {
			to = to[:end]
			break
		}
		end += n
	}
	s.payload, s.raw = to[:k], to[k:]
	total := k
	for b := s.raw; ; {
		n, err := size(b)
		if err != nil || n == 0 || n > len(b) {
			return total, nil
		}
		total += n - Overhead
		b = b[n:]
	}
}

package record

import "github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"

// Stream moves the bytes of a connection: as they are, or in records. One goroutine at a time writes, and one reads.
type Stream interface {
	// Write writes the first bytes of a list, without blocking, and returns how many have left. If it fails with EAGAIN it
	// may have taken the first bytes all the same (see Taken), so that the next call must have them too.
	Write(v *socket.Vector) (int, error)
	// Taken is how many bytes Write has taken that it has not returned as having left.
	Taken() int
	// Read fills a list with what there is, and returns how many bytes that are. If they are fewer than there is room for,
	// the kernel has no more. What has come before an error is returned along with it. (0, nil) is the end of the stream.
	Read(v *socket.Vector) (int, error)
	// Buffered reports whether something is to be read that is not in the kernel: the Watcher does not know of it.
	Buffered() bool
	// Waiting returns how many bytes can be read without waiting for the peer.
	Waiting() (int, error)
	// End says to the peer that nothing more comes. It returns false, and does nothing, if the kernel has no room for
	// that now: there is an event when it has.
	End() bool
}

// New returns the Stream of a connection. Without a Cipher the bytes travel as they are.
func New(fd int, c *Cipher, meter *socket.Meter) Stream {
	if c == nil {
		return plain{fd, meter}
	}
	return &sealed{fd: fd, cipher: c, meter: meter}
}

// plain is a Stream without records.
type plain struct {
	fd    int
	meter *socket.Meter
}

func (p plain) Write(v *socket.Vector) (int, error) {
	p.meter.Writes.Add(1)
	return v.Write(p.fd)
}

func (p plain) Taken() int { return 0 }

func (p plain) Read(v *socket.Vector) (int, error) {
	p.meter.Reads.Add(1)
	return v.Read(p.fd)
}

func (p plain) Buffered() bool { return false }

func (p plain) Waiting() (int, error) { return socket.Waiting(p.fd) }

func (p plain) End() bool { return true } // the end of the connection says it

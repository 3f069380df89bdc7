package capture

import (
	"errors"
	"fmt"
	"io"
	"net/netip"
	"sync"
	"time"
)

const (
	// chunkSize is what is written at a time: a multiple of the longest packet
	// and its block, and large for a system call.
	chunkSize = 256 << 10
	// flushInterval is how long a packet may wait for others to be written with.
	flushInterval = 200 * time.Millisecond
)

// Writer writes packets to a pcapng file. It is safe for concurrent use. Its
// goroutine ends with Close.
type Writer struct {
	mu      sync.Mutex
	chunk   []byte   // whole blocks, to be written; nil if there are none
	free    [][]byte // chunks for reuse: the last used, warm in the cache, is next
	made    int      // chunks made so far, at most cap(pending)
	stopped bool     // by an error or by Close: packets are no longer recorded
	closed  bool
	lost    uint64 // packets since the last one recorded
	stats   statistics

	// pending has room for all chunks: to send never blocks.
	pending chan []byte
	flush   *time.Timer

	out   io.Writer
	close func() error
	err   error // the goroutine's until done is closed
	done  chan struct{}
}

// Create starts a capture to the file path, which it empties if it exists. One
// Writer at a time may use a path; the processes of a job need one each.
//
// Errors: a Config out of range, or those of opening and writing a file.
func Create(path string, c Config) (*Writer, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	f, err := createFile(path, appendHeader(nil, c.Application), c.MaxBytes/2)
	if err != nil {
		return nil, wrap(err)
	}
	return start(f, f.Close, c), nil
}

// New starts a capture to out, which gets the file's header at once, and then
// whole blocks, from one goroutine. Close does not close it. Packets that wait
// because out.Write takes its time are bounded; what out keeps is its own affair.
//
// Errors: a Config out of range, or that of out.Write.
func New(out io.Writer, c Config) (*Writer, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	if _, err := out.Write(appendHeader(nil, c.Application)); err != nil {
		return nil, wrap(err)
	}
	return start(out, func() error { return nil }, c), nil
}

func start(out io.Writer, closeOut func() error, c Config) *Writer {
	chunks := c.Buffer / chunkSize
	w := &Writer{
		free:    make([][]byte, 0, chunks),
		pending: make(chan []byte, chunks),
		flush:   time.NewTimer(flushInterval),
		out:     out,
		close:   closeOut,
		done:    make(chan struct{}),
	}
	go w.run()
	return w
}

// Packet records a packet, sent or received at the wall-clock time at, between
// the years 1970 and 2261. Its bytes are those of parts, one after the other:
// a UDP payload. They are copied. Nothing else happens to the caller: no
// allocation once there are chunks enough, no system call.
//
// An address that is not known may be the zero Addr, and counts as unspecified.
// A zone is not recorded.
//
// A packet is lost, and counted in the file, when Config.Buffer bytes wait to be
// written, or when it is longer than UDP can carry: 65,507 bytes over IPv4,
// 65,527 over IPv6. After an error and after Close Packet does nothing.
func (w *Writer) Packet(at time.Time, received bool, from, to netip.AddrPort, parts ...[]byte) {
	p := newDatagram(at, received, from, to, parts)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stopped {
		return
	}
	w.stats.last = p.at
	w.stats.seen++
	if p.size > p.maxSize() || !w.reserve(p.size+maxPacketOverhead) {
		w.stats.lost++
		w.lost++
		return
	}
	w.chunk = appendPacket(w.chunk, &p, w.lost)
	w.lost = 0
}

// reserve sees to it that n bytes fit into the chunk. Under w.mu.
func (w *Writer) reserve(n int) bool {
	if w.chunk != nil {
		if len(w.chunk)+n <= cap(w.chunk) {
			return true
		}
		w.handOver()
	}
	switch last := len(w.free) - 1; {
	case last >= 0:
		w.chunk, w.free = w.free[last], w.free[:last]
	case w.made < cap(w.pending):
		w.chunk = make([]byte, 0, chunkSize)
		w.made++
	default:
		return false
	}
	w.flush.Reset(flushInterval)
	return true
}

// handOver passes the chunk on to be written. Under w.mu.
func (w *Writer) handOver() {
	if w.chunk != nil {
		w.pending <- w.chunk
		w.chunk = nil
	}
}

// run writes until Close.
func (w *Writer) run() {
	defer close(w.done)
	for {
		select {
		case <-w.flush.C:
			w.mu.Lock()
			w.handOver()
			w.mu.Unlock()
		case chunk, open := <-w.pending:
			if !open {
				w.write(appendStatistics(nil, w.stats))
				w.err = errors.Join(w.err, wrap(w.close()))
				return
			}
			w.write(chunk)
			w.release(chunk)
		}
	}
}

// write writes blocks. The first error ends the capture.
func (w *Writer) write(blocks []byte) {
	if w.err != nil {
		return
	}
	setChecksums(blocks)
	if _, err := w.out.Write(blocks); err != nil {
		w.err = wrap(err)
		w.mu.Lock()
		w.stopped, w.chunk, w.free = true, nil, nil
		w.mu.Unlock()
	}
}

// release puts a chunk up for reuse.
func (w *Writer) release(chunk []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.stopped {
		w.free = append(w.free, chunk[:0])
	}
}

// Close writes what waits, and the numbers of packets seen and lost, and ends
// the capture. It waits for the disk. It returns the error that ended the
// capture before, if one did: the file then holds what came before it. Further
// calls return the same.
func (w *Writer) Close() error {
	w.mu.Lock()
	if !w.closed {
		w.closed, w.stopped = true, true
		w.handOver()
		close(w.pending)
	}
	w.mu.Unlock()
	<-w.done
	w.flush.Stop()
	return w.err
}

func wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("capture: %w", err)
}

package udp

import (
	"net"
	"net/netip"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
)

func (n *native) send(b *packet.Batch) error {
	if b.Len() == 0 {
		return n.alive()
	}
	w := n.writers.Get().(*writer)
	w.begin(b)
	err := w.run()
	reports := w.end()
	n.writers.Put(w)
	n.tell(reports)
	return err
}

// run sends the batch.
func (w *writer) run() error {
	for next := 0; next < w.batch.Len(); {
		end := w.fill(next)
		var err error
		if next, err = w.flush(end); err != nil {
			return err
		}
	}
	return nil
}

// flush sends the messages and returns the packet to go on with: end, or an earlier
// one, or behind the last if there is no room.
func (w *writer) flush(end int) (next int, err error) {
	again := false // whether a message has been refused and is tried once more
	for at := 0; at < w.count; {
		sent, errno, err := w.call(at)
		if err != nil {
			return end, err
		}
		w.countSent(w.spans[at : at+sent])
		at += sent
		switch {
		case sent > 0:
			again = false
		case errno == unix.EINTR:
		case errno == unix.EAGAIN:
			if !w.awaitRoom() {
				rest := w.batch.Len() - w.spans[at].first
				w.counters.overrun.Add(uint64(rest))
				return w.batch.Len(), nil
			}
		case !again && errno == unix.EFAULT:
			again = true
			w.touch()
		case !again && errno != unix.ENOBUFS:
			// It may be an error of a datagram sent before, which this
			// call was told of because it was the first to ask, and a
			// firewall may refuse a first packet for good only to let the
			// second pass.
			again = true
			w.drain()
		default:
			again = false
			if w.refused(at, errno) {
				w.apart = w.spans[at].first + w.spans[at].count
				return w.spans[at].first, nil
			}
			at++
		}
	}
	return end, nil
}

func (w *writer) countSent(spans []span) {
	if len(spans) == 0 {
		return
	}
	var datagrams, bytes, segmented int
	for _, s := range spans {
		datagrams += s.count
		bytes += s.bytes
		if s.count > 1 {
			segmented++
		}
	}
	w.counters.sentDatagrams.Add(uint64(datagrams))
	w.counters.sentBytes.Add(uint64(bytes))
	if segmented > 0 {
		w.counters.sentSegmented.Add(uint64(segmented))
	}
}

// refused counts a message that the kernel refused to send. If it is a GSO batch, and its
// packets may pass one by one, it returns true instead.
func (w *writer) refused(at int, errno unix.Errno) bool {
	s := w.spans[at]
	if s.count > 1 {
		switch errno {
		case unix.EIO: // the device cannot compute checksums, so the kernel cannot segment
			w.segmenting.Store(false)
			return true
		case unix.EINVAL, unix.EMSGSIZE: // a packet with its headers is larger than the MTU
			return true
		}
	}
	switch errno {
	case unix.EMSGSIZE:
		w.refuseTooBig(&w.batch.Packets()[s.first])
		w.drain() // the kernel tells of it there too
	case unix.ENOBUFS: // the device's queue is full
		w.counters.overrun.Add(uint64(s.count))
	default:
		w.counters.refused.Add(uint64(s.count))
		w.deny(w.batch.Packets()[s.first].To, errno)
	}
	return false
}

// deny notes that packets to an address are not sent, once for packets that follow each other.
func (w *writer) deny(to netip.AddrPort, errno unix.Errno) {
	if n := len(w.reports); n == 0 || w.reports[n-1].to != to || w.reports[n-1].denial != error(errno) {
		w.reports = append(w.reports, report{to: to, denial: errno})
	}
}

// call sends what one system call will of the messages from one on.
func (w *writer) call(at int) (sent int, errno unix.Errno, err error) {
	if w.fragment {
		return w.callFragmented(at)
	}
	w.use.RLock()
	defer w.use.RUnlock()
	return w.callLocked(at)
}

// callFragmented is call with IP allowed to fragment. Only the whole socket can allow that, not one
// message. So no other goroutine may send meanwhile: a probe of the path MTU (RFC 8899) that was
// fragmented would seem to have passed.
func (w *writer) callFragmented(at int) (sent int, errno unix.Errno, err error) {
	w.use.Lock()
	defer w.use.Unlock()
	if w.closed {
		return 0, 0, net.ErrClosed
	}
	w.discover(unix.IP_PMTUDISC_DONT, unix.IPV6_PMTUDISC_DONT)
	defer w.discover(unix.IP_PMTUDISC_PROBE, unix.IPV6_PMTUDISC_PROBE)
	return w.callLocked(at)
}

// discover sets what IP does about the path MTU. It cannot fail, as it has been done
// before.
func (n *native) discover(v4, v6 int) {
	_ = unix.SetsockoptInt(n.fd, unix.SOL_IP, unix.IP_MTU_DISCOVER, v4)
	if n.ipv6 {
		_ = unix.SetsockoptInt(n.fd, unix.SOL_IPV6, unix.IPV6_MTU_DISCOVER, v6)
	}
}

func (w *writer) callLocked(at int) (sent int, errno unix.Errno, err error) {
	if w.closed {
		return 0, 0, net.ErrClosed
	}
	w.counters.sendCalls.Add(1)
	sent, errno = w.calls.send(w.fd, w.messages[at:w.count], w.bytes)
	return sent, errno, nil
}

// drain empties the error queue.
func (w *writer) drain() {
	w.use.RLock()
	defer w.use.RUnlock()
	if !w.closed {
		w.reports = w.drainErrors(w.reports)
	}
}

// awaitRoom waits for room in the socket's buffer and reports whether there is some.
// The descriptor may be closed meanwhile: then it waits for nothing, or for another
// one, and the next call finds out.
func (w *writer) awaitRoom() bool {
	if w.roomBy.IsZero() {
		w.roomBy = time.Now().Add(roomTimeout)
	}
	for {
		left := time.Until(w.roomBy)
		if left <= 0 {
			return false
		}
		fds := []unix.PollFd{{Fd: int32(w.fd), Events: unix.POLLOUT}}
		n, err := unix.Poll(fds, int(left.Milliseconds())+1)
		if err != nil && err != unix.EINTR {
			return false
		}
		if n > 0 {
			return true
		}
	}
}

package meeting

import (
	"context"
	"encoding/binary"
	"fmt"
	"net"
	"syscall"
	"time"
)

// Process is a process of this host.
type Process struct {
	// PID is its number in this process's PID namespace. It may be another process's when this one has ended: only
	// the pidfd tells.
	PID int
	// Pidfd becomes readable when the process has ended, all its threads among it. -1: none.
	Pidfd int
}

var noProcess = Process{Pidfd: -1}

// Close closes the pidfd.
func (p *Process) Close() {
	closeFD(p.Pidfd)
	p.Pidfd = -1
}

// Offer is what one side hands over to the other.
type Offer struct {
	// Segments are at most MaxSegments. What they are for the two sides have to know.
	Segments []*Segment
	// Doorbell wakes the one that offers it. Nil: none.
	Doorbell *Doorbell
	// Data is what else the other must know, at most MaxData bytes.
	Data []byte
}

// Close closes the offer's segments and its doorbell.
func (o *Offer) Close() {
	for _, s := range o.Segments {
		s.Close()
	}
	o.Doorbell.Close()
	*o = Offer{}
}

// Meeting is one with a peer that has proved that it is of the job. First both call Exchange, then both Conclude. Either may
// call Refuse instead. Close belongs to all of them. The methods are for one goroutine.
type Meeting struct {
	// Rank is the peer's, Process the peer itself. The process, and what Exchange has returned, are the meeting's until
	// Conclude has returned without an error, then the caller's.
	Rank    int
	Process Process

	conn      *net.UnixConn
	maxBytes  int64
	limit     time.Duration
	received  Offer
	concluded bool
}

// The kinds of records after the handshake.
const (
	offered byte = 1 + iota
	conclusion
	refusal
)

// Lengths in bytes: of the kind; of what comes before an offer's data; of the longest record.
const (
	kindSize  = 1
	offerSize = kindSize + 2 + 8*MaxSegments
	maxRecord = offerSize + MaxData
)

// Exchange hands over ours, which stays the caller's, and returns what the peer hands over, checked and mapped. It ends
// with ctx, or after HandshakeTime.
func (m *Meeting) Exchange(ctx context.Context, ours Offer) (theirs Offer, err error) {
	if len(ours.Segments) > MaxSegments || len(ours.Data) > MaxData {
		return Offer{}, fmt.Errorf("an offer of %d segments and %d bytes", len(ours.Segments), len(ours.Data))
	}
	record, fds := ours.encode()
	release := bound(ctx, m.conn, m.limit)
	defer release()
	if err := m.send(ctx, record, fds); err != nil {
		return Offer{}, cause(ctx, err)
	}
	record, fds, err = m.receive(offered)
	if err != nil {
		return Offer{}, cause(ctx, err)
	}
	m.received, err = decode(record, fds, m.maxBytes)
	return m.received, err
}

// Conclude tells the peer that this side agrees, with at most MaxData bytes, and returns what the peer has said with its
// agreement. It ends with ctx. The error may be that of one side only: if this side's time is over, or it ends, the peer may
// have concluded. So the caller waits as long as it would for the peer itself, and counts the peer as dead when ctx ends.
// After all other errors the peer has one too.
func (m *Meeting) Conclude(ctx context.Context, ours []byte) (theirs []byte, err error) {
	if len(ours) > MaxData {
		return nil, fmt.Errorf("a conclusion of %d bytes", len(ours))
	}
	release := bound(ctx, m.conn, 0)
	defer release()
	if err := m.send(ctx, append([]byte{conclusion}, ours...), nil); err != nil {
		return nil, cause(ctx, err)
	}
	record, fds, err := m.receive(conclusion)
	if err != nil {
		return nil, cause(ctx, err)
	}
	if len(fds) > 0 {
		closeAll(fds)
		return nil, ErrGarbage
	}
	m.concluded = true
	return record[kindSize:], nil
}

// Refuse tells the peer why there is to be no shared memory, and ends the meeting. The peer gets ErrRefused with the
// text of reason.
func (m *Meeting) Refuse(reason error) {
	text := reason.Error()
	text = text[:min(len(text), MaxData)]
	m.conn.SetDeadline(time.Now().Add(m.limit))
	_, _ = m.conn.Write(append([]byte{refusal}, text...))
	m.Close()
}

// Close ends the meeting. Without a conclusion it closes what the peer has handed over, and the peer's pidfd. It may be called
// again.
func (m *Meeting) Close() {
	m.conn.Close()
	if m.concluded {
		return
	}
	m.received.Close()
	m.Process.Close()
}

func (m *Meeting) send(ctx context.Context, record []byte, fds []int) error {
	err := again(ctx, func() error {
		_, _, err := m.conn.WriteMsgUnix(record, rights(fds), nil)
		return err
	}, syscall.ETOOMANYREFS) // the user has too many descriptors under way
	if err != nil {
		return noAnswer(err)
	}
	return nil
}

// receive receives a record of a kind, and its descriptors, which are the caller's.
func (m *Meeting) receive(kind byte) (record []byte, fds []int, err error) {
	record, oob := make([]byte, maxRecord+1), make([]byte, rightsSize)
	n, oobn, flags, _, err := m.conn.ReadMsgUnix(record, oob)
	if err != nil {
		return nil, nil, noAnswer(err)
	}
	fds, err = parseRights(oob[:oobn], flags)
	record = record[:n]
	if err == nil && n >= kindSize && n <= maxRecord && record[0] == kind {
		return record, fds, nil
	}
	closeAll(fds)
	switch {
	case n >= kindSize && record[0] == refusal:
		return nil, nil, fmt.Errorf("%w: %q", ErrRefused, record[kindSize:min(n, kindSize+MaxData)])
	case err == nil:
		err = ErrGarbage
	}
	return nil, nil, err
}

// encode returns the record of an offer: kind, number of segments, 1 if there is a doorbell, sizes, data.
func (o *Offer) encode() (record []byte, fds []int) {
	record = make([]byte, offerSize, offerSize+len(o.Data))
	record[0], record[1] = offered, byte(len(o.Segments))
	for i, s := range o.Segments {
		binary.BigEndian.PutUint64(record[kindSize+2+8*i:], uint64(len(s.memory)))
		fds = append(fds, s.fd)
	}
	if o.Doorbell != nil {
		record[2] = 1
		fds = append(fds, o.Doorbell.fd)
	}
	return append(record, o.Data...), fds
}

// decode takes the descriptors of an offer over, or closes them.
func decode(record []byte, fds []int, maxBytes int64) (o Offer, err error) {
	defer func() {
		closeAll(fds)
		if err != nil {
			o.Close()
		}
	}()
	if len(record) < offerSize || record[2] > 1 || record[1] > MaxSegments || len(fds) != int(record[1])+int(record[2]) {
		return o, ErrGarbage
	}
	for i := range int(record[1]) {
		size := binary.BigEndian.Uint64(record[kindSize+2+8*i:])
		if size > uint64(maxBytes) {
			return o, fmt.Errorf("%w: %d bytes, where %d are allowed", ErrSegment, size, maxBytes)
		}
		maxBytes -= int64(size)
		segment, err := mapSegment(fds[0], int64(size))
		if err != nil {
			return o, err
		}
		closeFD(fds[0]) // the mapping is enough
		fds, o.Segments = fds[1:], append(o.Segments, segment)
	}
	if record[2] == 1 {
		if err := checkDoorbell(fds[0]); err != nil {
			return o, err
		}
		o.Doorbell, fds = &Doorbell{fd: fds[0]}, nil
	}
	o.Data = record[offerSize:]
	return o, nil
}

package udplink

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

// A packet is a header and records, a record a piece of a message:
//
//	checksum (4), sequence (4), acknowledged (4), record...
//	end of message (1 bit), length (31 bits), bytes
//
// All numbers are little-endian. A packet without records has no sequence number of
// its own: it greets or acknowledges. Three bytes or less after the last record are
// padding.
const (
	headerSize = 12
	recordSize = 4
	recordEnd  = 1 << 31
	// packetSize is that of all packets of a train but the last.
	packetSize = 16_376
	// trainPackets fill the largest UDP datagram there is with packets.
	trainPackets = 65_507 / packetSize
	// copyLimit is the size in bytes from which on it is cheaper to have the
	// kernel gather a message than to copy it.
	copyLimit = 4096
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// train is what one system call sends. Its memory is used again and again.
type train struct {
	parts   [][]byte
	scratch []byte // headers, and the messages that are copied
	run     int    // where in scratch the current part begins
	size    int    // of the open packet
	first   int    // part of the open packet
	packets int
}

func newTrain() *train {
	return &train{scratch: make([]byte, 0, trainPackets*packetSize)}
}

func (t *train) reset() {
	t.parts, t.scratch = t.parts[:0], t.scratch[:0]
	t.packets = 0
}

// begin begins a packet.
func (t *train) begin(sequence, acknowledged uint32) {
	t.run, t.first, t.size = len(t.scratch), len(t.parts), headerSize
	t.scratch = binary.LittleEndian.AppendUint32(t.scratch, 0)
	t.scratch = binary.LittleEndian.AppendUint32(t.scratch, sequence)
	t.scratch = binary.LittleEndian.AppendUint32(t.scratch, acknowledged)
}

// add adds as much of a message as the packet has room for, and returns the rest. If
// there is no room for any the packet is padded, and full.
func (t *train) add(message []byte) (rest []byte, full bool) {
	room := packetSize - t.size - recordSize
	if room <= 0 {
		t.scratch = append(t.scratch, make([]byte, packetSize-t.size)...)
		return message, true
	}
	n := min(room, len(message))
	length := uint32(n)
	if n == len(message) {
		length |= recordEnd
	}
	t.scratch = binary.LittleEndian.AppendUint32(t.scratch, length)
	if n < copyLimit {
		t.scratch = append(t.scratch, message[:n]...)
	} else {
		t.closeRun()
		t.parts = append(t.parts, message[:n])
	}
	t.size += recordSize + n
	return message[n:], t.size == packetSize
}

func (t *train) closeRun() {
	if run := t.scratch[t.run:]; len(run) > 0 {
		t.parts = append(t.parts, run)
		t.run = len(t.scratch)
	}
}

// end ends a packet.
func (t *train) end(checksum bool) {
	t.closeRun()
	t.packets++
	if !checksum {
		return
	}
	header := t.parts[t.first]
	crc := crc32.Update(0, castagnoli, header[4:])
	for _, part := range t.parts[t.first+1:] {
		crc = crc32.Update(crc, castagnoli, part)
	}
	binary.LittleEndian.PutUint32(header, crc)
}

// packet is a packet that has been received.
type packet struct {
	sequence, acknowledged uint32
	records                []byte
}

func parse(b []byte, checksum bool) (packet, error) {
	if len(b) < headerSize {
		return packet{}, fmt.Errorf("a packet of %d bytes has no header", len(b))
	}
	if checksum && crc32.Update(0, castagnoli, b[4:]) != binary.LittleEndian.Uint32(b) {
		return packet{}, errors.New("the checksum of a packet is wrong")
	}
	return packet{binary.LittleEndian.Uint32(b[4:]), binary.LittleEndian.Uint32(b[8:]), b[headerSize:]}, nil
}

// next takes the next record off the packet.
func (p *packet) next() (piece []byte, end, ok bool, err error) {
	if len(p.records) < recordSize {
		return nil, false, false, nil
	}
	length := binary.LittleEndian.Uint32(p.records)
	n := int(length &^ recordEnd)
	if n > len(p.records)-recordSize {
		return nil, false, false, fmt.Errorf("a record of %d bytes is longer than its packet", n)
	}
	piece = p.records[recordSize:][:n]
	p.records = p.records[recordSize+n:]
	return piece, length&recordEnd != 0, true, nil
}

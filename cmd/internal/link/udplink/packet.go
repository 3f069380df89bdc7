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
// All numbers are little-endian. A packet without records has no sequence number of its own: it
// is an acknowledgement, or the first packet of Dial. Up to three bytes after the last record are
// padding.
const (
	headerSize = 12
	recordSize = 4
	recordEnd  = 1 << 31
	// packetSize is the size of all packets of a batch but the last.
	packetSize = 16_376
	// batchPackets is how many packets the largest possible UDP datagram holds.
	batchPackets = 65_507 / packetSize
	// copyLimit is the size in bytes from which it is cheaper that the kernel gathers a piece
	// of a message than to copy it.
	copyLimit = 4096
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// batch is the packets that one system call sends. Its memory is reused.
type batch struct {
	parts   [][]byte
	scratch []byte // headers, and pieces of messages that are copied
	run     int    // where the current part begins in scratch
	size    int    // of the current packet
	first   int    // index of the first part of the current packet
	packets int
}

func newBatch() *batch {
	return &batch{scratch: make([]byte, 0, batchPackets*packetSize)}
}

func (b *batch) reset() {
	b.parts, b.scratch = b.parts[:0], b.scratch[:0]
	b.packets = 0
}

// begin starts a packet.
func (b *batch) begin(sequence, acknowledged uint32) {
	b.run, b.first, b.size = len(b.scratch), len(b.parts), headerSize
	b.scratch = binary.LittleEndian.AppendUint32(b.scratch, 0)
	b.scratch = binary.LittleEndian.AppendUint32(b.scratch, sequence)
	b.scratch = binary.LittleEndian.AppendUint32(b.scratch, acknowledged)
}

// add adds as much of a message as the packet has room for, and returns the rest. A packet without
// room for another record is padded, and full.
func (b *batch) add(message []byte) (rest []byte, full bool) {
	room := packetSize - b.size - recordSize
	if room <= 0 {
		b.scratch = append(b.scratch, make([]byte, packetSize-b.size)...)
		return message, true
	}
	n := min(room, len(message))
	length := uint32(n)
	if n == len(message) {
		length |= recordEnd
	}
	b.scratch = binary.LittleEndian.AppendUint32(b.scratch, length)
	if n < copyLimit {
		b.scratch = append(b.scratch, message[:n]...)
	} else {
		b.closeRun()
		b.parts = append(b.parts, message[:n])
	}
	b.size += recordSize + n
	return message[n:], b.size == packetSize
}

// closeRun makes a part of the bytes that were added to scratch.
func (b *batch) closeRun() {
	if run := b.scratch[b.run:]; len(run) > 0 {
		b.parts = append(b.parts, run)
		b.run = len(b.scratch)
	}
}

// end completes a packet.
func (b *batch) end(checksum bool) {
	b.closeRun()
	b.packets++
	if !checksum {
		return
	}
	header := b.parts[b.first]
	crc := crc32.Update(0, castagnoli, header[4:])
	for _, part := range b.parts[b.first+1:] {
		crc = crc32.Update(crc, castagnoli, part)
	}
	binary.LittleEndian.PutUint32(header, crc)
}

// packet is a received packet.
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

// next returns the next record, and whether there is one.
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

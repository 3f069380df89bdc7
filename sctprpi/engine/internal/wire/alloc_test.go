package wire

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// assertNoAllocs checks that f does not allocate.
func assertNoAllocs(t *testing.T, what string, f func()) {
	t.Helper()
	assert.Zero(t, testing.AllocsPerRun(100, f), what)
}

// packetForReading returns a packet as it arrives under load: a SACK with many
// gap ack blocks, and some DATA.
func packetForReading() []byte {
	s := SACK{CumulativeTSN: 100, Window: 1 << 20, Duplicates: NumbersOf[TSN](99)}
	for i := range uint16(100) {
		s.GapBlocks = s.GapBlocks.Append(GapBlock{2 * (i + 1), 2 * (i + 1)})
	}
	b := AppendSACK(AppendHeader(nil, Header{5000, 5001, 1}), &s)
	for i := range 3 {
		b = appendData(b, Data{Flags: FlagBegin | FlagEnd, TSN: TSN(i), Payload: make([]byte, 400)})
	}
	b = AppendIForwardTSN(b, &IForwardTSN{Skipped: SkippedMIDs{}.Append(SkippedMID{Stream: 1})})
	SetChecksum(b)
	return b
}

// read does with a packet what an association does, so that nothing is left
// out by the compiler.
func read(b []byte) (sum int) {
	if !VerifyChecksum(b, false) {
		return -1
	}
	p, err := ParsePacket(b)
	if err != nil {
		return -1
	}
	for c, err := range p.Chunks() {
		if err != nil {
			return -1
		}
		switch c.Type {
		case TypeSACK:
			s, err := ParseSACK(c)
			if err != nil {
				return -1
			}
			for g := range s.GapBlocks.All() {
				sum += int(g.Start) + int(g.End)
			}
			for tsn := range s.Duplicates.All() {
				sum += int(tsn)
			}
		case TypeData:
			d, err := ParseData(c)
			if err != nil {
				return -1
			}
			sum += len(d.Payload)
		case TypeIForwardTSN:
			f, err := ParseIForwardTSN(c)
			if err != nil {
				return -1
			}
			for s := range f.Skipped.All() {
				sum += int(s.Stream)
			}
		}
	}
	return sum
}

func TestReadingAPacketDoesNotAllocate(t *testing.T) {
	b := packetForReading()
	assert.Positive(t, read(b))
	assertNoAllocs(t, "reading", func() { read(b) })
}

func TestAppendingDoesNotAllocate(t *testing.T) {
	b := make([]byte, 0, 4096)
	payload := make([]byte, 1001)
	s := SACK{GapBlocks: make(GapBlocks, 0, 64), Duplicates: make(Numbers[TSN], 0, 64)}
	params := make(Params, 0, 256)
	causes := make(Causes, 0, 256)
	assertNoAllocs(t, "DATA and SACK", func() {
		gaps, dups := s.GapBlocks[:0], s.Duplicates[:0]
		for i := range uint16(10) {
			gaps, dups = gaps.Append(GapBlock{i + 1, i + 1}), dups.Append(TSN(i))
		}
		b = AppendHeader(b[:0], Header{5000, 5001, 1})
		b = AppendSACK(b, &SACK{GapBlocks: gaps, Duplicates: dups})
		b = AppendDataHeader(b, &Data{TSN: 1}, len(payload))
		first := len(b)
		b = AppendPadding(b, len(payload))
		b = AppendIDataHeader(b, &IData{TSN: 2}, len(payload))
		second := len(b)
		b = AppendPadding(b, len(payload))
		SetChecksum(b[:first], payload, b[first:second], payload, b[second:])
	})
	assertNoAllocs(t, "control chunks", func() {
		p := params[:0].AppendSupportedExtensions(Numbers[ChunkType](payload[:3])).AppendStateCookie(payload[:100])
		b = AppendInitAck(b[:0], &Init{Params: p})
		c := causes[:0].AppendNoUserData(1).AppendProtocolViolation("rule").AppendMissingMandatoryParameter(nil)
		b = AppendAbort(b, true, c)
		b = AppendHeartbeat(b, payload[:40])
		b = AppendPad(b, 1000)
	})
}

func TestMalformedPacketsDoNotAllocate(t *testing.T) {
	short := chunkOf(t, TypeSACK, make([]byte, 3))
	partial := packetOf(t, []byte{3, 0, 0, 200})
	var err error
	assertNoAllocs(t, "refusing", func() {
		_, err = ParseSACK(short)
		for _, err = range partial.Chunks() {
		}
	})
	assert.ErrorIs(t, err, ErrPartialChunk)
}

package wire

import (
	"fmt"
	"testing"
)

func BenchmarkReadPacket(b *testing.B) {
	packet := packetForReading()
	b.SetBytes(int64(len(packet)))
	b.ReportAllocs()
	for b.Loop() {
		read(packet)
	}
}

func BenchmarkParseData(b *testing.B) {
	c, _ := ParseChunk(appendData(nil, Data{Payload: make([]byte, 1000)}))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseData(c); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseSACKOf100Blocks(b *testing.B) {
	p, _ := ParsePacket(packetForReading())
	c, _ := ParseChunk(p.chunks)
	b.ReportAllocs()
	for b.Loop() {
		s, err := ParseSACK(c)
		if err != nil {
			b.Fatal(err)
		}
		sum := 0
		for g := range s.GapBlocks.All() {
			sum += int(g.End)
		}
		if sum == 0 {
			b.Fatal("no blocks")
		}
	}
}

func BenchmarkAppendDataHeader(b *testing.B) {
	buf := make([]byte, 0, 64)
	d := Data{TSN: 1, Stream: 2, SSN: 3}
	b.ReportAllocs()
	for b.Loop() {
		buf = AppendDataHeader(buf[:0], &d, 1000)
	}
}

func BenchmarkAppendSACKOf100Blocks(b *testing.B) {
	p, _ := ParsePacket(packetForReading())
	c, _ := ParseChunk(p.chunks)
	s, _ := ParseSACK(c)
	buf := make([]byte, 0, 1500)
	b.ReportAllocs()
	for b.Loop() {
		buf = AppendSACK(buf[:0], &s)
	}
}

func BenchmarkChecksum(b *testing.B) {
	for _, size := range []int{64, 1400, 9000, 65000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			packet := make([]byte, size)
			b.SetBytes(int64(size))
			for b.Loop() {
				SetChecksum(packet)
			}
		})
	}
}

// A full packet: header and one DATA chunk, payload elsewhere.
func BenchmarkChecksumOfGatherList(b *testing.B) {
	head := make([]byte, HeaderSize+DataHeaderSize)
	payload := make([]byte, 1400)
	b.SetBytes(int64(len(head) + len(payload)))
	b.ReportAllocs()
	for b.Loop() {
		SetChecksum(head, payload)
	}
}

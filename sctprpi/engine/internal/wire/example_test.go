package wire_test

import (
	"errors"
	"fmt"
	"slices"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// One packet on its way: built as a gather list around two payloads that are
// never copied, then read as an association would.
func Example() {
	first, second := []byte("hello"), []byte("world!")

	// Headers, control chunks and padding share one buffer. Its parts before,
	// between and after the payloads are the other elements of the list.
	buf := wire.AppendHeader(nil, wire.Header{SourcePort: 5000, DestinationPort: 5001, Tag: 0xdecade})
	buf = wire.AppendSACK(buf, &wire.SACK{
		CumulativeTSN: 12,
		Window:        65536,
		GapBlocks:     wire.GapBlocks{}.Append(wire.GapBlock{Start: 2, End: 3}),
	})
	buf = wire.AppendDataHeader(buf, &wire.Data{Flags: wire.FlagBegin | wire.FlagEnd, TSN: 7, Stream: 1}, len(first))
	a := len(buf)
	buf = wire.AppendPadding(buf, len(first))
	buf = wire.AppendDataHeader(buf, &wire.Data{Flags: wire.FlagBegin | wire.FlagEnd, TSN: 8, Stream: 2}, len(second))
	b := len(buf)
	buf = wire.AppendPadding(buf, len(second))
	packet := [][]byte{buf[:a], first, buf[a:b], second, buf[b:]}
	wire.SetChecksum(packet...)

	received := slices.Concat(packet...)
	if !wire.VerifyChecksum(received, false) {
		return // silently
	}
	p, err := wire.ParsePacket(received)
	if err != nil {
		return // silently
	}
	fmt.Printf("tag %#x\n", p.Tag)
chunks:
	for c, err := range p.Chunks() {
		if err != nil {
			break // silently, but what came before counts
		}
		switch c.Type {
		case wire.TypeSACK:
			s, err := wire.ParseSACK(c)
			if err != nil {
				break chunks // answer with the cause in err, a *wire.Error
			}
			fmt.Println("SACK up to", s.CumulativeTSN)
			for g := range s.GapBlocks.All() {
				fmt.Println("and", s.CumulativeTSN+wire.TSN(g.Start), "to", s.CumulativeTSN+wire.TSN(g.End))
			}
		case wire.TypeData:
			d, err := wire.ParseData(c)
			if err != nil {
				break chunks
			}
			fmt.Printf("DATA %d on stream %d: %s\n", d.TSN, d.Stream, d.Payload)
		default:
			if c.Type.UnknownAction().Stop() {
				break chunks
			}
		}
	}
	// Output:
	// tag 0xdecade
	// SACK up to 12
	// and 14 to 15
	// DATA 7 on stream 1: hello
	// DATA 8 on stream 2: world!
}

// A malformed chunk says how to answer it.
func ExampleError() {
	// A DATA chunk with TSN 7 and no user data.
	c, _ := wire.ParseChunk(wire.AppendDataHeader(nil, &wire.Data{TSN: 7}, 0))

	d, err := wire.ParseData(c)
	if errors.Is(err, wire.ErrNoUserData) {
		abort := wire.AppendAbort(nil, false, wire.Causes{}.AppendNoUserData(d.TSN))
		fmt.Printf("%v: %x\n", err, abort)
	}
	// Output: sctp: DATA chunk without user data: 0600000c0009000800000007
}

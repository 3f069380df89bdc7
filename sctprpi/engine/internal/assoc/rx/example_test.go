package rx_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc/rx"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// A receiver takes chunks as they come, acknowledges them and reads messages.
func Example() {
	tracker, err := rx.NewTracker(100, rx.AckPolicy{})
	if err != nil {
		panic(err)
	}
	reassembly, err := rx.New(rx.Config{InitialTSN: 100, Streams: 10})
	if err != nil {
		panic(err)
	}
	now := time.Duration(0)
	for _, d := range []wire.Data{
		{TSN: 100, Stream: 1, SSN: 0, Flags: wire.FlagBegin | wire.FlagEnd, Payload: []byte("first")},
		{TSN: 102, Stream: 1, SSN: 2, Flags: wire.FlagBegin | wire.FlagEnd, Payload: []byte("third")},
		{TSN: 103, Stream: 2, SSN: 0, Flags: wire.FlagBegin | wire.FlagEnd, Payload: []byte("other stream")},
		{TSN: 101, Stream: 1, SSN: 1, Flags: wire.FlagBegin | wire.FlagEnd, Payload: []byte("second")},
	} {
		if tracker.Arrive(d.TSN) == rx.Fresh {
			switch err := reassembly.Data(&d, nil); {
			case errors.Is(err, rx.ErrNoRoom):
				tracker.Refuse()
			case err == nil || errors.Is(err, rx.ErrStream):
				tracker.Accept(d.TSN, d.Flags)
			default:
				fmt.Println("abort:", err)
				return
			}
		}
		tracker.EndPacket(now)
		for e := (socket.Event{}); reassembly.Next(&e); {
			fmt.Printf("stream %d: %s\n", e.Stream, e.Payload)
		}
		if tracker.Due(now) {
			sack := tracker.SACK(1000, reassembly.Window())
			fmt.Printf("SACK %d, %d gap ack blocks\n", sack.CumulativeTSN, sack.GapBlocks.Len())
		}
	}
	// Output:
	// stream 1: first
	// SACK 100, 0 gap ack blocks
	// SACK 100, 1 gap ack blocks
	// stream 2: other stream
	// SACK 100, 1 gap ack blocks
	// stream 1: second
	// stream 1: third
	// SACK 103, 0 gap ack blocks
}

package tx_test

import (
	"fmt"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc/tx"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// A message of 2500 bytes goes out in three packets, of which the second is lost
// and sent again.
func Example() {
	sender, err := tx.New(tx.Config{InitialTSN: 1, Streams: 10, PeerWindow: 1 << 16})
	if err != nil {
		panic(err)
	}
	const room = 1000 + wire.DataHeaderSize
	path, err := sender.AddPath(room)
	if err != nil {
		panic(err)
	}
	send := func(now time.Duration) {
		for {
			chunks := sender.Next(nil, now, path, room)
			if len(chunks) == 0 {
				return
			}
			for _, c := range chunks {
				fmt.Printf("%v: TSN %d, %d bytes, again %v\n", now, c.TSN, c.Len(), c.Retransmission)
			}
		}
	}

	err = sender.Queue(0, &socket.Message{Stream: 3, Data: [][]byte{make([]byte, 2500)}, Owner: "request 7"})
	if err != nil {
		panic(err)
	}
	send(0)

	now := 20 * time.Millisecond
	sack := wire.SACK{CumulativeTSN: 1, Window: 1 << 16, GapBlocks: wire.GapBlocks{}.Append(wire.GapBlock{Start: 2, End: 2})}
	if _, err := sender.Sack(now, &sack); err != nil {
		panic(err)
	}
	deadline, _ := sender.Deadline() // a reordering window later
	sender.Expire(deadline)
	send(deadline)

	if _, err := sender.Sack(deadline+now, &wire.SACK{CumulativeTSN: 3, Window: 1 << 16}); err != nil {
		panic(err)
	}
	released, _ := sender.NextRelease()
	fmt.Println(released.Owner, released.Outcome == socket.Acknowledged, sender.Drained())

	// Output:
	// 0s: TSN 1, 1000 bytes, again false
	// 0s: TSN 2, 1000 bytes, again false
	// 0s: TSN 3, 500 bytes, again false
	// 25ms: TSN 2, 1000 bytes, again true
	// request 7 true true
}

package plpmtud_test

import (
	"fmt"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc/plpmtud"
)

// A path of 1,500 bytes behind a network card that does jumbo frames.
func Example() {
	search, err := plpmtud.New(plpmtud.Config{Max: 9000})
	if err != nil {
		panic(err)
	}
	now := time.Duration(0)
	search.Start(now)
	for {
		size, id, ok := search.Probe(now, 200*time.Millisecond)
		if !ok {
			break
		}
		// A HEARTBEAT and a PAD chunk go out in a packet of that size.
		if size <= 1500 {
			now += 10 * time.Millisecond // HEARTBEAT ACK
			search.Acked(now, id)
		} else {
			now, _ = search.Deadline()
			search.Expire(now)
		}
		fmt.Printf("%v: probed %d, MTU %d\n", now, size, search.MTU())
	}

	// Output:
	// 200ms: probed 9000, MTU 1200
	// 210ms: probed 1200, MTU 1200
	// 220ms: probed 1500, MTU 1500
	// 420ms: probed 1516, MTU 1500
	// 620ms: probed 1516, MTU 1500
	// 820ms: probed 1516, MTU 1500
	// 830ms: probed 1500, MTU 1500
}

package udp_test

import (
	"fmt"
	"log"
	"net/netip"
	"runtime"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/udp"
)

func Example() {
	var pool packet.Pool
	c, err := udp.Listen(&pool, 0, []netip.Addr{netip.MustParseAddr("127.0.0.1")}, udp.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()

	var batch packet.Batch
	for _, text := range []string{"one", "two"} {
		batch.Begin(packet.Packet{To: netip.AddrPortFrom(c.LocalAddrs()[0], c.Port()), Unchecked: true})
		batch.Payload([]byte(text))
		batch.End()
	}
	if err := c.Send(&batch); err != nil {
		log.Fatal(err)
	}

	datagrams := make([]packet.Datagram, 16)
	for left := batch.Len(); left > 0; {
		n, err := c.Receive(datagrams)
		if err != nil {
			log.Fatal(err)
		}
		for _, d := range datagrams[:n] {
			fmt.Printf("%s\n", d.Bytes)
			d.Buffer.Release()
		}
		if left -= n; n == 0 {
			runtime.Gosched() // or wait for c.Descriptor
		}
	}
	// Output:
	// one
	// two
}

package cookie_test

import (
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/cookie"
)

// An INIT is answered and forgotten; the COOKIE ECHO chunk brings back all there is
// to know of it.
func Example() {
	signer, err := cookie.NewSigner(nil)
	if err != nil {
		panic(err)
	}
	now := 10 * time.Second
	initAck := signer.Append(nil, &cookie.State{
		Created: now, Life: time.Minute,
		LocalTag: 17, PeerTag: 4, Outbound: 1024, Inbound: 10,
		Peer:     netip.MustParseAddrPort("192.0.2.2:9899"),
		Features: cookie.Interleaving,
	})

	var st cookie.State
	if err := signer.Open(initAck, now+time.Second, &st); err != nil {
		panic(err)
	}
	fmt.Println(st.Peer, st.LocalTag, st.Outbound, st.Features)

	err = signer.Open(initAck, now+62*time.Second, &st)
	if stale, ok := errors.AsType[*cookie.StaleError](err); ok {
		fmt.Println("too late by", stale.By)
	}

	initAck[20] ^= 1
	fmt.Println(signer.Open(initAck, now, &st))

	// Output:
	// 192.0.2.2:9899 17 1024 interleaving
	// too late by 2s
	// cookie: not signed here
}

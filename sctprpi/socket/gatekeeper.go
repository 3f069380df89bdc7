package socket

// Gatekeeper is implemented by a Socket that takes so many packets a second, and no more, of all sources together that it does not
// know: a flood of them must not take its time. It knows the addresses of associations that the user has begun, or whose peers
// are authenticated (Authenticator), and those of Expect.
type Gatekeeper interface {
	// OnRefusal has f called again and again while packets of unknown sources are refused because there are too many. A
	// goroutine that reads the network calls it. f must return soon, and must not call the socket. Call OnRefusal before Receive
	// and Poll.
	OnRefusal(f func())
	// Expect says that a peer may begin an association from some addresses. Until Close each of them that has a UDP port counts
	// as known. As its packets may be forged it has a budget of its own, as each unknown source has one: 256 packets a second.
	// It takes some 200 bytes for each address, and may be called at any time.
	Expect(peer ...Addr)
}

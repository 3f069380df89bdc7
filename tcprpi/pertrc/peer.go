package pertrc

import (
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/heartbeat"
)

// key names a TRC among those of a peer.
type key struct {
	context matching.Context
	tag     matching.Tag // AnyTag in contexts whose messages share a connection
}

// shared reports whether the messages of a context share a connection.
func shared(c matching.Context) bool { return c&rpi.InOrder != 0 }

func keyOf(c matching.Context, tag matching.Tag) key {
	if shared(c) {
		tag = matching.AnyTag
	}
	return key{c, tag}
}

// covers reports whether a connection for k may carry what a receive in c with
// that tag takes.
func (k key) covers(c matching.Context, tag matching.Tag) bool {
	return k.context == c && (tag == matching.AnyTag || k.tag == matching.AnyTag || k.tag == tag)
}

// peer is what this process knows of another.
type peer struct {
	rank matching.Rank
	out  map[key]*outgoing // with a connection, or messages that wait for one
	in   map[key]*incoming
	busy int // of out, those with messages that have not left

	sent rpi.Sequences

	// posted counts the receives from the peer in contexts whose messages
	// share a connection.
	posted map[matching.Context]int
	// retracted are messages that the peer wants back and that have not been
	// read yet, at most maxRetracted.
	retracted map[place]struct{}

	control   *control   // on which this process speaks
	controls  []*control // all that there are: one that either side made, or one of each
	dialing   bool       // this process is making one
	accepted  bool       // the peer has made one, or is about to have
	accepting bool       // and this process does not use it yet
	outbox    []byte     // frames for control
	beat      heartbeat.Peer

	failed error // why the peer is gone
	dead   bool  // it did not say farewell
	doubt  error // a connection with it has broken, and why
	said   bool  // this process has said farewell
	busyAt bool  // in the list of tasks
}

// place is where a message stands among those of its sender.
type place struct {
	key
	seq matching.Seq
}

// maxRetracted bounds peer.retracted. A cancellation beyond it fails.
const maxRetracted = 4096

func (p *peer) listed() *bool { return &p.busyAt }

// expect notes that n receives more are posted for a peer's messages that
// share a connection.
func (t *Transport) expect(r *rpi.Request, n int) {
	if !shared(r.Context) || r.Peer < 0 {
		return
	}
	p := &t.peers[r.Peer]
	if p.posted == nil {
		p.posted = make(map[matching.Context]int)
	}
	p.posted[r.Context] += n
}

// contact makes sure that there is, or will be, a control connection with a
// peer.
func (t *Transport) contact(p *peer) {
	if p.rank != t.self && p.control == nil && !p.dialing && p.failed == nil {
		p.dialing = true
		t.background.Go(func() { t.dialControl(p) })
	}
}

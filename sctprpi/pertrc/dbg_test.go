package pertrc

import (
	"fmt"
	"testing"
	"time"
	"context"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

func TestDbg(t *testing.T) {
	ranks := make([]*Transport, 3)
	for i := range ranks {
		tr, err := Open(rpi.Config{Rank: i, Size: 3, UnexpectedLimit: 4 << 20, Lookup: func(_ context.Context, p int) (string, error) { return ranks[p].Address(), nil }})
		if err != nil {
			t.Fatal(err)
		}
		ranks[i] = tr.(*Transport)
	}
	body := make([]byte, 32<<10)
	const count = 2000
	for i := range count {
		ranks[1].Start(&rpi.Request{Op: rpi.OpSend, Peer: 0, Tag: matching.Tag(i), Type: 1, Elem: 1, Buf: body})
	}
	ranks[1].Start(&rpi.Request{Op: rpi.OpSend, Peer: 0, Tag: 5000, Type: 1, Elem: 1})
	r := &rpi.Request{Op: rpi.OpRecv, Peer: 1, Tag: 5000, Type: 1, Elem: 1}
	ranks[0].Start(r)
	for range 5 {
		select {
		case <-r.Done():
			fmt.Println("done", r.Err)
			return
		case <-time.After(time.Second):
		}
		for _, x := range []struct{ a, b int }{{1, 0}, {0, 1}} {
			tr := ranks[x.a]
			tr.mu.Lock()
			p := tr.peer(matching.Rank(x.b))
			n, sent := 0, 0
			for _, o := range p.trcs.Out {
				n++
				own := o.Channel.(*outgoing)
				sent += int(own.sent)
			}
			fmt.Println("rank", x.a, "open", p.Open(), "gone", p.Gone(), "blocked", p.blocked, "flushing", p.flushing, "lent", p.lent, "outs", n, "sent", sent, "waiting", len(p.waiting), "full", p.full.head != nil, "ready", p.ready.head != nil, "in", len(p.in), "active", len(tr.active), "unread", len(tr.unread), "wanted", len(tr.wanted), "trcsin", len(p.trcs.In), "heldback", len(tr.waiting))
			held, pieces := 0, 0
			for _, c := range p.in {
				if c.held {
					held++
				}
				pieces += len(c.pieces)
			}
			id := p.Assoc()
			tr.mu.Unlock()
			st, err := tr.Socket().Status(id)
			fmt.Println("  held", held, "pieces", pieces, "status", fmt.Sprintf("%+v", st), err)
		}
	}
	t.Fatal("hung")
}

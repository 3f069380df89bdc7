package trc

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// A message is in a system call when its peer fails, and leaves entirely. What waits for the peer's answer to it, a synchronous send or
// one that is wanted back, ends with the failure.
func TestAMessageThatLeavesWhileItsPeerFails(t *testing.T) {
	for name, mode := range map[string]rpi.Mode{"synchronous": rpi.Synchronous, "wanted back": rpi.Standard} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			send := &rpi.Request{Op: rpi.OpSend, Mode: mode, Peer: 1, Tag: 1, Type: 1, Elem: 1, Buf: []byte("text")}
			r.Start(send, false)
			require.Len(t, r.Peer(1).Out, 1)
			for _, o := range r.Peer(1).Out {
				f := o.Head()
				f.Started = true
				if mode == rpi.Standard {
					r.Cancel(send)
				}
				r.Fail(r.Peer(1), errDied, true)
				require.False(t, send.Completed(), "its memory is still read")
				r.Sent(o, f)
			}
			require.True(t, send.Completed())
			require.ErrorIs(t, send.Err, rpi.ErrProcFailed)
		})
	}
}

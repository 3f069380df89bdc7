package sctprpi

import (
	"bytes"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/sockettest"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// FuzzFrames feeds a transport with what a member of the job might send, cut in pieces
// on several streams. Each piece is three bytes, stream, flags and length, and so many
// bytes. Whatever it is, nothing is written outside of the buffers of receives, and all
// of these complete.
func FuzzFrames(f *testing.F) {
	piece := func(stream, flags byte, data []byte) []byte {
		return append([]byte{stream, flags, byte(len(data))}, data...)
	}
	const begin, end = 1, 2
	whole := append(frame(header.Header{Kind: header.Eager, Length: 4, ElemSize: 1, Type: 1}), "body"...)
	announced := piece(1, begin|end, frame(header.Header{Kind: header.RTS, Length: 100, ElemSize: 1, Type: 1, SendID: 1}))
	body := func(offset, n int) []byte {
		return append(frame(header.Header{Kind: header.Body, RecvID: 1, Offset: uint64(offset), Length: uint64(n)}), make([]byte, n)...)
	}
	f.Add(piece(1, begin|end, whole))
	f.Add(append(piece(1, begin, whole[:30]), piece(1, end, whole[30:])...))
	f.Add(append(piece(0, begin|end, frame(header.Header{Kind: header.Void})), piece(2, begin, whole)...))
	f.Add(bytes.Join([][]byte{announced, piece(9, begin|end, body(0, 60)), piece(9, begin|end, body(60, 40))}, nil))
	f.Add(bytes.Join([][]byte{announced, piece(9, begin, body(0, 60)), piece(10, begin|end, body(60, 40)), piece(9, end, []byte{1})}, nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		cfg := job()
		cfg.Size, cfg.Rank = 2, 0
		v, err := New(cfg, Options{
			Listen: func(socket.Config, []netip.Addr, uint16) (socket.Core, error) { return sockettest.Sink{}, nil },
		})
		require.NoError(t, err)
		defer v.Kill()
		v.Lock.Lock()
		p := v.peer(1)
		v.Lock.Unlock()

		const n = 100
		around := bytes.Repeat([]byte{0xee}, 3*n)
		var rs []*rpi.Request
		for range 3 {
			rs = append(rs, &rpi.Request{Op: rpi.OpRecv, Peer: 1, Tag: matching.AnyTag, Type: 1, Elem: 1, Buf: make([]byte, n)})
		}
		rs[0].Buf = around[n : 2*n : 2*n]
		for _, r := range rs {
			v.Start(r)
		}
		for len(b) >= 3 {
			data := b[3:][:min(int(b[2]), len(b)-3)]
			v.Lock.Lock()
			err := user{v}.Data(p.Peer, &socket.Event{
				Kind: socket.Data, Stream: socket.StreamID(b[0] % 16), Payload: data,
				Begin: b[1]&begin != 0, End: b[1]&end != 0, Broken: b[1]&4 != 0, Unordered: b[1]&8 != 0,
			})
			if err != nil {
				user{v}.Failed(p.Peer, err)
			}
			v.Lock.Unlock()
			if err != nil {
				break
			}
			b = b[3+len(data):]
		}
		v.Kill()
		for _, r := range rs {
			require.True(t, r.Completed())
		}
		require.Equal(t, bytes.Repeat([]byte{0xee}, n), around[:n])
		require.Equal(t, bytes.Repeat([]byte{0xee}, n), around[2*n:])
	})
}

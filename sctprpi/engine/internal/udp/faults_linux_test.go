package udp

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
)

// refusing has the kernel refuse a message with errno if when says so of the message
// and of how many times it has refused before.
func refusing(errno unix.Errno, when func(segmented bool, before int) bool) opener {
	return withCalls(func(c calls) calls {
		before := 0
		return calls{recv: c.recv, send: func(fd int, msgs []unix.Mmsghdr, bytes int) (int, unix.Errno) {
			if when(msgs[0].Hdr.Controllen > 0, before) {
				before++
				return 0, errno
			}
			return c.send(fd, msgs[:1], bytes)
		}}
	})
}

// exchangeFaulty sends ten packets that make a GSO batch, one of another size and ten,
// and checks that all arrive, in order.
func exchangeFaulty(t *testing.T, v variant) *Conn {
	a, b := v.listen(t, loopback4), variants[0].listen(t, loopback4)
	want := sendTwoBatches(t, a, at(b))
	requireBytes(t, want, collect(t, b, len(want), 8))
	assert.EqualValues(t, len(want), a.Stats().SentDatagrams)
	return a
}

func sendTwoBatches(t *testing.T, from *Conn, to netip.AddrPort) (sent [][]byte) {
	var batch packet.Batch
	for i := range 21 {
		size := 1000
		if i == 10 {
			size = 1100
		}
		sent = append(sent, payload(i, size))
		add(&batch, packet.Packet{To: to}, sent[i])
	}
	require.NoError(t, from.Send(&batch))
	return sent
}

// A device that cannot compute checksums cannot segment (EIO): GSO is given up
// for good.
func TestSegmentationIsGivenUpOnEIO(t *testing.T) {
	v := variant{open: refusing(unix.EIO, func(segmented bool, _ int) bool { return segmented })}
	a := exchangeFaulty(t, v)
	assert.False(t, a.Stats().Segmentation)
	assert.Zero(t, a.Stats().SentSegmented)
}

// A GSO batch that is refused as such (EINVAL, EMSGSIZE) goes packet by packet; the others
// go as GSO batches: that of the larger packet and one, and that of the rest.
func TestRefusedTrainGoesPacketByPacket(t *testing.T) {
	for _, errno := range []unix.Errno{unix.EINVAL, unix.EMSGSIZE} {
		v := variant{open: refusing(errno, func(segmented bool, before int) bool { return segmented && before < 2 })}
		a := exchangeFaulty(t, v)
		assert.True(t, a.Stats().Segmentation)
		assert.EqualValues(t, 2, a.Stats().SentSegmented)
	}
}

// An error that the second attempt does not meet was none of the packet's.
func TestErrorOnceLosesNothing(t *testing.T) {
	for _, errno := range []unix.Errno{unix.EPERM, unix.ECONNREFUSED, unix.EINTR, unix.EAGAIN} {
		v := variant{open: refusing(errno, func(_ bool, before int) bool { return before == 0 })}
		a := exchangeFaulty(t, v)
		assert.Zero(t, a.Stats().Refused)
	}
}

func TestFullDeviceQueueDropsTheMessage(t *testing.T) {
	v := variant{open: refusing(unix.ENOBUFS, func(_ bool, before int) bool { return before == 0 })}
	a, b := v.listen(t, loopback4), variants[0].listen(t, loopback4)
	want := sendTwoBatches(t, a, at(b))[10:]
	requireBytes(t, want, collect(t, b, len(want), 8))
	assert.EqualValues(t, 10, a.Stats().Overrun)
}

// With no room for long, what is left of a batch is dropped.
func TestNoRoomDropsTheRest(t *testing.T) {
	sent := 0
	v := variant{open: withCalls(func(c calls) calls {
		return calls{recv: c.recv, send: func(fd int, msgs []unix.Mmsghdr, bytes int) (int, unix.Errno) {
			if sent++; sent > 1 {
				return 0, unix.EAGAIN
			}
			return c.send(fd, msgs[:1], bytes)
		}}
	})}
	a, b := v.listen(t, loopback4), variants[0].listen(t, loopback4)
	want := sendTwoBatches(t, a, at(b))[:10]
	requireBytes(t, want, collect(t, b, len(want), 8))
	assert.EqualValues(t, 11, a.Stats().Overrun)
}

// A gather list longer than the kernel's limit is joined.
func TestPacketOfManyParts(t *testing.T) {
	eachFamily(t, func(t *testing.T, v variant, local netip.Addr) {
		a, b := v.listen(t, local), v.listen(t, local)
		whole := payload(0, 9000)
		var batch packet.Batch
		var want [][]byte
		for _, parts := range []int{1, 1023, 1024, 1025, 3000, 600, 600, 600} {
			batch.Begin(packet.Packet{To: at(b)})
			for i := range parts {
				batch.Payload(whole[3*i:][:3])
			}
			batch.End()
			want = append(want, whole[:3*parts])
		}
		require.NoError(t, a.Send(&batch))
		requireBytes(t, want, collect(t, b, len(want), 8))
	})
}

// The largest packets that the loopback device passes arrive.
func TestLargestPackets(t *testing.T) {
	eachFamily(t, func(t *testing.T, v variant, local netip.Addr) {
		a, b := v.listen(t, local), v.listen(t, local)
		size := min(maxPayload(local), a.RouteMTU(local)-ipSize(local, 0))
		var batch packet.Batch
		var want [][]byte
		for i := range 3 {
			want = append(want, payload(i, size))
			add(&batch, packet.Packet{To: at(b)}, want[i])
		}
		require.NoError(t, a.Send(&batch))
		requireBytes(t, want, collect(t, b, len(want), 2))
	})
}

// Packets of one size go as one message and arrive as one.
func TestGSOBatchesAreSent(t *testing.T) {
	a, b := variants[0].listen(t, loopback4), variants[0].listen(t, loopback4)
	if s := a.Stats(); !s.Segmentation || !s.Coalescing {
		t.Skip("this kernel has no UDP_SEGMENT and UDP_GRO")
	}
	var batch packet.Batch
	for i := range 40 {
		add(&batch, packet.Packet{To: at(b)}, payload(i, 1400))
	}
	require.NoError(t, a.Send(&batch))
	collect(t, b, 40, 40)
	s, r := a.Stats(), b.Stats()
	assert.EqualValues(t, 1, s.SentSegmented)
	assert.EqualValues(t, 1, s.SendCalls)
	assert.EqualValues(t, 40*1400, s.SentBytes)
	assert.EqualValues(t, 1, r.ReceivedCoalesced)
	assert.EqualValues(t, 40*1400, r.ReceivedBytes)
}

// Packets with NoGSO are sent alone, and the others in GSO batches.
func TestPacketsGoApart(t *testing.T) {
	a, b := variants[0].listen(t, loopback4), variants[0].listen(t, loopback4)
	var batch packet.Batch
	for i := range 9 {
		add(&batch, packet.Packet{To: at(b), NoGSO: i%3 == 0}, payload(i, 1400)) // of two others there could be a GSO batch
	}
	require.NoError(t, a.Send(&batch))
	collect(t, b, 9, 9)
	if s := a.Stats(); s.Segmentation {
		assert.EqualValues(t, 3, s.SentSegmented)
	}
	batch.Reset()
	for i := range 9 {
		add(&batch, packet.Packet{To: at(b), NoGSO: true}, payload(i, 1400))
	}
	before := a.Stats().SentSegmented
	require.NoError(t, a.Send(&batch))
	collect(t, b, 9, 9)
	assert.Equal(t, before, a.Stats().SentSegmented)
}

package meeting

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/internal/hostmem"
)

// offerOf is the record of an offer with one segment of a size and perhaps a doorbell.
func offerOf(segments int, bytes uint64, bell byte) []byte {
	record := make([]byte, offerSize)
	record[0], record[1], record[2] = offered, byte(segments), bell
	for i := range min(segments, MaxSegments) {
		for b := range 8 {
			record[kindSize+2+8*i+b] = byte(bytes >> (56 - 8*b))
		}
	}
	return record
}

// memory makes a memory file as a peer might.
func memory(t testing.TB, bytes int64, allocate bool, seals int) int {
	t.Helper()
	fd, err := unix.MemfdCreate("hostile", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	require.NoError(t, err)
	t.Cleanup(func() { unix.Close(fd) })
	require.NoError(t, unix.Ftruncate(fd, bytes))
	if allocate {
		require.NoError(t, unix.Fallocate(fd, 0, 0, bytes))
	}
	_, err = unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, seals)
	require.NoError(t, err)
	return fd
}

// TestHostileOffers: what a rank of the job must not hand over, or say that it does.
func TestHostileOffers(t *testing.T) {
	for name, c := range map[string]struct {
		record   []byte
		fds      func(t *testing.T) []int
		expected error
	}{
		"not sealed":           {offerOf(1, size, 0), func(t *testing.T) []int { return []int{memory(t, size, true, 0)} }, ErrSegment},
		"may shrink":           {offerOf(1, size, 0), func(t *testing.T) []int { return []int{memory(t, size, true, hostmem.Seals&^unix.F_SEAL_SHRINK)} }, ErrSegment},
		"may grow":             {offerOf(1, size, 0), func(t *testing.T) []int { return []int{memory(t, size, true, hostmem.Seals&^unix.F_SEAL_GROW)} }, ErrSegment},
		"may be sealed":        {offerOf(1, size, 0), func(t *testing.T) []int { return []int{memory(t, size, true, hostmem.Seals&^unix.F_SEAL_SEAL)} }, ErrSegment},
		"cannot be written":    {offerOf(1, size, 0), func(t *testing.T) []int { return []int{memory(t, size, true, hostmem.Seals|unix.F_SEAL_WRITE)} }, ErrSegment},
		"not allocated":        {offerOf(1, size, 0), func(t *testing.T) []int { return []int{memory(t, size, false, hostmem.Seals)} }, ErrSegment},
		"smaller than said":    {offerOf(1, size, 0), func(t *testing.T) []int { return []int{memory(t, size/2, true, hostmem.Seals)} }, ErrSegment},
		"larger than said":     {offerOf(1, size, 0), func(t *testing.T) []int { return []int{memory(t, 2*size, true, hostmem.Seals)} }, ErrSegment},
		"not whole pages":      {offerOf(1, size+1, 0), func(t *testing.T) []int { return []int{memory(t, size+1, true, hostmem.Seals)} }, ErrSegment},
		"nothing":              {offerOf(1, 0, 0), func(t *testing.T) []int { return []int{memory(t, 0, false, hostmem.Seals)} }, ErrSegment},
		"too much":             {offerOf(1, 5*size, 0), func(t *testing.T) []int { return []int{memory(t, 5*size, true, hostmem.Seals)} }, ErrSegment},
		"too much by the sign": {offerOf(1, 1<<63, 0), func(t *testing.T) []int { return []int{memory(t, size, true, hostmem.Seals)} }, ErrSegment},
		"too much together": {offerOf(3, 2*size, 0), func(t *testing.T) []int {
			fd := memory(t, 2*size, true, hostmem.Seals)
			return []int{fd, fd, fd}
		}, ErrSegment},
		"a file":             {offerOf(1, size, 0), func(t *testing.T) []int { return []int{file(t, size)} }, ErrSegment},
		"a pipe":             {offerOf(1, size, 0), func(t *testing.T) []int { return []int{pipe(t)} }, ErrSegment},
		"a pipe as doorbell": {offerOf(0, 0, 1), func(t *testing.T) []int { return []int{pipe(t)} }, ErrSegment},
		"a doorbell that blocks": {offerOf(0, 0, 1), func(t *testing.T) []int {
			d := doorbell(t)
			require.NoError(t, unix.SetNonblock(d.fd, false))
			return []int{d.fd}
		}, ErrSegment},
		"a good segment and a bad doorbell": {offerOf(1, size, 1), func(t *testing.T) []int {
			return []int{memory(t, size, true, hostmem.Seals), pipe(t)}
		}, ErrSegment},
		"too few descriptors":      {offerOf(2, size, 1), func(t *testing.T) []int { return []int{memory(t, size, true, hostmem.Seals)} }, ErrGarbage},
		"no descriptor":            {offerOf(1, size, 0), func(t *testing.T) []int { return nil }, ErrGarbage},
		"one descriptor too many":  {offerOf(0, 0, 0), func(t *testing.T) []int { return []int{pipe(t)} }, ErrGarbage},
		"a hundred descriptors":    {offerOf(1, size, 0), func(t *testing.T) []int { return many(memory(t, size, true, hostmem.Seals), 100) }, ErrDescriptors},
		"too many segments":        {offerOf(5, size/2, 0), func(t *testing.T) []int { return many(memory(t, size/2, true, hostmem.Seals), 5) }, ErrGarbage},
		"doorbells":                {offerOf(0, 0, 2), func(t *testing.T) []int { return many(doorbell(t).fd, 2) }, ErrGarbage},
		"cut short":                {offerOf(1, size, 0)[:offerSize-1], func(t *testing.T) []int { return []int{memory(t, size, true, hostmem.Seals)} }, ErrGarbage},
		"too long":                 {append(offerOf(1, size, 0), make([]byte, MaxData+1)...), func(t *testing.T) []int { return []int{memory(t, size, true, hostmem.Seals)} }, ErrGarbage},
		"another kind":             {[]byte{99}, func(t *testing.T) []int { return []int{pipe(t)} }, ErrGarbage},
		"a conclusion":             {[]byte{conclusion}, func(t *testing.T) []int { return nil }, ErrGarbage},
		"a refusal with a present": {[]byte{refusal, 'n', 'o'}, func(t *testing.T) []int { return []int{pipe(t)} }, ErrRefused},
	} {
		t.Run(name, func(t *testing.T) {
			keepsNothing(t)
			hostile, m := pair(t)
			require.NoError(t, hostile.send(t.Context(), c.record, c.fds(t)))
			got, err := m.Exchange(t.Context(), Offer{})
			require.ErrorIs(t, err, c.expected)
			require.Equal(t, Offer{}, got)
			m.Refuse(err)
			_, err = hostile.Exchange(t.Context(), Offer{})
			require.Error(t, err)
		})
	}
}

func TestHostileConclusions(t *testing.T) {
	for name, c := range map[string]struct {
		record   []byte
		fds      func(t *testing.T) []int
		expected error
	}{
		"an offer":       {offerOf(0, 0, 0), func(t *testing.T) []int { return nil }, ErrGarbage},
		"a descriptor":   {[]byte{conclusion}, func(t *testing.T) []int { return []int{pipe(t)} }, ErrGarbage},
		"a late refusal": {[]byte("\x03too late"), func(t *testing.T) []int { return nil }, ErrRefused},
		"far too much":   {append([]byte{conclusion}, make([]byte, 1<<16)...), func(t *testing.T) []int { return nil }, ErrGarbage},
	} {
		t.Run(name, func(t *testing.T) {
			keepsNothing(t)
			hostile, m := pair(t)
			require.NoError(t, hostile.send(t.Context(), offerOf(1, size, 0), []int{memory(t, size, true, hostmem.Seals)}))
			require.NoError(t, hostile.send(t.Context(), c.record, c.fds(t)))
			_, err := m.Exchange(t.Context(), Offer{})
			require.NoError(t, err)
			_, err = m.Conclude(t.Context(), nil)
			require.ErrorIs(t, err, c.expected)
		})
	}
}

func file(t *testing.T, bytes int64) int {
	t.Helper()
	f, err := os.CreateTemp(t.TempDir(), "")
	require.NoError(t, err)
	t.Cleanup(func() { f.Close() })
	require.NoError(t, f.Truncate(bytes))
	return int(f.Fd())
}

func pipe(t *testing.T) int {
	t.Helper()
	var fds [2]int
	require.NoError(t, unix.Pipe2(fds[:], unix.O_CLOEXEC))
	t.Cleanup(func() { closeAll(fds[:]) })
	return fds[1]
}

func many(fd, n int) (fds []int) {
	for range n {
		fds = append(fds, fd)
	}
	return fds
}

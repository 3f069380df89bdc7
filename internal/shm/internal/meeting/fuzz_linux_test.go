package meeting

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/internal/hostmem"
)

// FuzzOffer takes in an offer of a hostile rank, with descriptors of any kind: it is taken or refused, and no descriptor is left open.
func FuzzOffer(f *testing.F) {
	f.Add(offerOf(1, size, 1), []byte{0, 1})
	f.Add(offerOf(2, size, 0), []byte{0, 0})
	f.Add(offerOf(1, size, 0), []byte{2})
	f.Add(offerOf(0, 0, 1), []byte{3})
	f.Add([]byte{offered}, []byte{})
	f.Fuzz(func(t *testing.T, record, kinds []byte) {
		var fds []int
		for _, kind := range kinds[:min(len(kinds), MaxSegments+2)] {
			fd := -1
			var err error
			switch kind % 4 {
			case 0:
				fd, err = unix.Dup(memory(t, size, true, hostmem.Seals))
			case 1:
				fd, err = unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
			case 2:
				fd, err = unix.Dup(memory(t, size, true, 0))
			default:
				fd, err = unix.Open("/dev/null", unix.O_RDWR|unix.O_CLOEXEC, 0)
			}
			require.NoError(t, err)
			fds = append(fds, fd)
		}
		o, err := decode(record, append([]int(nil), fds...), 4*size)
		if err == nil {
			require.Len(t, fds, len(o.Segments)+len(record[2:3])*int(record[2]))
			o.Close()
		}
		for _, fd := range fds {
			_, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
			require.ErrorIs(t, err, unix.EBADF)
		}
	})
}

// FuzzRights reads control messages as a hostile rank may send them. The descriptors are not real ones here.
func FuzzRights(f *testing.F) {
	f.Add(rights([]int{3, 4, 5}), 0)
	f.Add(rights([]int{3})[:5], 0)
	f.Add(rights([]int{3}), unix.MSG_CTRUNC)
	f.Add([]byte{}, unix.MSG_TRUNC)
	f.Add([]byte("\x13\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00abc"), 0)
	f.Fuzz(func(t *testing.T, oob []byte, flags int) {
		fds, err := parseRights(oob, flags)
		require.LessOrEqual(t, 4*len(fds), len(oob))
		if flags&(unix.MSG_CTRUNC|unix.MSG_TRUNC) != 0 {
			require.Error(t, err)
		}
	})
}

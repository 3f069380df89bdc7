package associations

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// FuzzAddresses reads what a peer may have published.
func FuzzAddresses(f *testing.F) {
	f.Add("192.0.2.1:5000/6000,[2001:db8::1]:5000/6000")
	f.Add("192.0.2.1:5000")
	f.Add("[fe80::1%eth0]:5000/6000")
	f.Add(",,")
	f.Fuzz(func(t *testing.T, text string) {
		addrs, err := parseAddrs(text)
		if err != nil {
			return
		}
		require.NotEmpty(t, addrs)
		require.LessOrEqual(t, len(addrs), rpi.MaxAddresses)
		for _, a := range addrs {
			require.NotZero(t, a.Port)
			require.Equal(t, addrs[0].Port, a.Port)
			require.True(t, a.IP.IsValid() && !a.IP.IsUnspecified() && !a.IP.IsMulticast())
		}
	})
}

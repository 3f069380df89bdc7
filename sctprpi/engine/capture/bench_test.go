package capture_test

import (
	"fmt"
	"net/netip"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/capture"
)

// BenchmarkPacket measures what a packet costs where none is lost, because the
// benchmark waits when the goroutine that writes lags behind.
func BenchmarkPacket(b *testing.B) {
	for _, size := range []int{100, 1400, 65_000} {
		for _, ends := range [][2]netip.AddrPort{{here4, there4}, {here6, there6}} {
			family := "IPv4"
			if ends[0].Addr().Is6() {
				family = "IPv6"
			}
			b.Run(fmt.Sprintf("%s/%d", family, size), func(b *testing.B) {
				written := &counter{}
				w, err := capture.New(written, capture.Config{})
				require.NoError(b, err)
				header, payload := noise(28), noise(size-28)
				b.SetBytes(int64(size))
				b.ReportAllocs()
				var recorded int64
				for b.Loop() {
					w.Packet(began, true, ends[0], ends[1], header, payload)
					for recorded += int64(size); recorded-written.bytes.Load() > 8<<20; {
						runtime.Gosched()
					}
				}
				require.NoError(b, w.Close())
				require.Greater(b, written.bytes.Load(), recorded, "packets were lost")
			})
		}
	}
}

type counter struct{ bytes atomic.Int64 }

func (c *counter) Write(b []byte) (int, error) {
	c.bytes.Add(int64(len(b)))
	return len(b), nil
}

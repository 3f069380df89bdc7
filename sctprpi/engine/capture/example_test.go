package capture_test

import (
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/capture"
)

// A packet as an engine hands it over: a gather list.
func Example() {
	dir, err := os.MkdirTemp("", "capture")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)

	w, err := capture.Create(filepath.Join(dir, "run.pcapng"), capture.Config{Application: "taskfarm, rank 3"})
	if err != nil {
		fmt.Println(err)
		return
	}
	local, peer := netip.MustParseAddrPort("192.0.2.1:9899"), netip.MustParseAddrPort("192.0.2.2:9899")
	packet := data(1, 100)
	w.Packet(time.Now(), false, local, peer, packet[:28], packet[28:])

	fmt.Println(w.Close())
	// Output: <nil>
}

package rank

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
)

// memory is what a process needs, in bytes. It is 0 on systems other than Linux.
type memory struct {
	garbage  int64 // resident, with what the collector has not taken yet
	resident int64 // the same after a collection
	kernel   int64 // buffers of all TCP and UDP sockets of the host
}

// memoryNow collects garbage, and returns what is needed then.
func memoryNow() memory {
	garbage := resident()
	runtime.GC()
	debug.FreeOSMemory()
	text, _ := os.ReadFile("/proc/net/sockstat")
	return memory{garbage, resident(), socketPages(string(text)) * int64(os.Getpagesize())}
}

// resident is the memory of this process that is not paged out, in bytes.
func resident() int64 {
	text, _ := os.ReadFile("/proc/self/statm")
	var size, resident int64
	_, _ = fmt.Sscan(string(text), &size, &resident)
	return resident * int64(os.Getpagesize())
}

// socketPages returns the pages in the lines of TCP and UDP in /proc/net/sockstat:
//
//	TCP: inuse 5 orphan 0 tw 0 alloc 7 mem 1
func socketPages(sockstat string) (pages int64) {
	for line := range strings.Lines(sockstat) {
		if _, text, found := strings.Cut(line, " mem "); found && (strings.HasPrefix(line, "TCP:") || strings.HasPrefix(line, "UDP:")) {
			var n int64
			_, _ = fmt.Sscan(text, &n)
			pages += n
		}
	}
	return pages
}

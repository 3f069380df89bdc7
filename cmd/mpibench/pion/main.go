// Command pion is the peer of mpibench that knows pion/sctp. It is a module of its own,
// so that pion is no dependency of the library. Its tests prove that pion and the
// embedded engine understand each other.
package main

import (
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/link"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/peer"
)

func main() { peer.Main(map[string]link.Transport{"pion": transport{}}) }

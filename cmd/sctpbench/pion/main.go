// Command pion is the worker process of sctpbench for pion/sctp. It is a module of its own, so
// that pion is no dependency of the library. Its tests check that pion and the embedded engine
// interoperate.
package main

import (
	"github.com/sctpmpi/sctpmpi/cmd/internal/link"
	"github.com/sctpmpi/sctpmpi/cmd/sctpbench/internal/worker"
)

func main() { worker.Main(map[string]link.Transport{"pion": transport{}}) }

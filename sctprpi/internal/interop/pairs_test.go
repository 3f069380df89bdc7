//go:build !race && linux

package interop

import (
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/interop/interoptest"
)

// pair is two stacks, of which the first begins associations.
type pair struct {
	name           string
	caller, called interoptest.Stack
}

const (
	engineCalls = "engine_calls_kernel"
	kernelCalls = "kernel_calls_engine"
)

// pairs are the two ways round.
var pairs = []pair{
	{engineCalls, interoptest.Engine, interoptest.Kernel},
	{kernelCalls, interoptest.Kernel, interoptest.Engine},
}

//go:build !race && linux

package interop

import (
	"testing"

	"github.com/sctpmpi/sctpmpi/sctprpi/kernel/kerneltest"
)

// kernelUDP is where the kernel takes packets in UDP.
const kernelUDP = kerneltest.UDPPort

func TestMain(m *testing.M) { kerneltest.Main(m) }

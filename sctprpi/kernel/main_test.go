//go:build !race && linux

package kernel_test

import (
	"testing"

	"github.com/sctpmpi/sctpmpi/sctprpi/kernel/kerneltest"
)

func TestMain(m *testing.M) { kerneltest.Main(m) }

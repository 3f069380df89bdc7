//go:build !race && linux

package interop

import (
	"testing"

	"github.com/sctpmpi/sctpmpi/sctprpi/kernel/kerneltest"
)

func TestMain(m *testing.M) { kerneltest.MainInLab(m) }

//go:build !race && linux

package foreign

import (
	"testing"

	"github.com/sctpmpi/sctpmpi/sctprpi/kernel/kerneltest"
)

func TestMain(m *testing.M) { kerneltest.MainInLab(m) }

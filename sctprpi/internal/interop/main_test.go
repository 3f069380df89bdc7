//go:build !race && linux

package interop

import (
	"testing"

	"github.com/sctpmpi/sctpmpi/netem/lab/labtest"
)

func TestMain(m *testing.M) { labtest.Run(m) }

//go:build !race && linux

package interop

import (
	"testing"

	"github.com/sctpmpi/sctpmpi/internal/netem/lab/labtest"
)

func TestMain(m *testing.M) { labtest.Run(m) }

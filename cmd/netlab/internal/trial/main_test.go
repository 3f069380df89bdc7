package trial

import (
	"testing"

	"github.com/sctpmpi/sctpmpi/netem/lab/labtest"
)

func TestMain(m *testing.M) { labtest.Run(m) }

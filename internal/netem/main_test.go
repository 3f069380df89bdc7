package netem_test

import (
	"testing"

	"github.com/sctpmpi/sctpmpi/internal/netem/lab/labtest"
)

func TestMain(m *testing.M) { labtest.Run(m) }

package udplink

import (
	"testing"

	"github.com/sctpmpi/sctpmpi/cmd/internal/link/linktest"
)

func TestContract(t *testing.T) { linktest.Run(t, Transport{}) }

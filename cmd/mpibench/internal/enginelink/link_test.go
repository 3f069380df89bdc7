package enginelink

import (
	"io"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/link"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/link/linktest"
)

func TestContract(t *testing.T) { linktest.Run(t, Transport{}) }

func TestTheLinkWorksOnBesideACrowd(t *testing.T) {
	dialled, listened, addr := linktest.Pair(t, Transport{}, link.Options{})
	var crowd io.Closer
	linktest.Both(t, func() (err error) {
		crowd, err = Transport{}.Crowd(addr, concurrent+1)
		return err
	}, func() error { return listened.(link.Admitter).Admit(concurrent + 1) })
	defer func() { assert.NoError(t, crowd.Close()) }()
	linktest.Both(t, func() error { return dialled.Send(100, 10) }, func() error { return listened.Receive(100, 10) })
}

package rpi

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
)

func TestSealing(t *testing.T) {
	token := []byte("the job's secret")
	for _, c := range []struct {
		size   int
		token  []byte
		wanted seal.Policy
		policy seal.Policy
		err    bool
	}{
		{2, token, seal.Auto, seal.Auto, false},
		{2, token, seal.Off, seal.Off, false},
		{2, token, seal.AlwaysAuth, seal.AlwaysAuth, false},
		{2, token, seal.AlwaysEncrypt, seal.AlwaysEncrypt, false},
		{2, nil, seal.Auto, seal.Off, false},
		{2, nil, seal.Off, seal.Off, false},
		{2, nil, seal.AlwaysEncrypt, seal.Off, true},
		{1, nil, seal.AlwaysEncrypt, seal.Off, false},
	} {
		cfg := Config{Size: c.size, Token: c.token, Encrypt: c.wanted}
		policy, err := cfg.Sealing()
		assert.Equal(t, c.policy, policy, "%+v", c)
		assert.Equal(t, c.err, err != nil, "%+v", c)
		if err != nil {
			assert.ErrorIs(t, err, ErrArg)
			assert.ErrorContains(t, err, "SCTPMPI_ENCRYPT="+c.wanted.String())
		}
	}
}

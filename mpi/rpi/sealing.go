package rpi

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
)

// Sealing returns how a transport has to seal what it sends (package seal): as the user wants it, and not at all in a job
// of one, or without a token, from which all keys follow. It fails if the user insists and there is no token.
func (cfg Config) Sealing() (seal.Policy, error) {
	switch {
	case cfg.Size == 1 || cfg.Encrypt == seal.Off:
		return seal.Off, nil
	case len(cfg.Token) > 0:
		return cfg.Encrypt, nil
	case cfg.Encrypt == seal.Auto:
		return seal.Off, nil
	}
	return seal.Off, fmt.Errorf("%w: %s=%v needs a token of the job: set %s", ErrArg, EnvEncrypt, cfg.Encrypt, EnvJobToken)
}

// Unsealed returns an error if the user insists that what is sent be sealed. It is for transports that cannot.
func (cfg Config) Unsealed(transport string) error {
	policy, err := cfg.Sealing()
	if err == nil && policy != seal.Off && policy != seal.Auto {
		err = fmt.Errorf("%w: %s=%v: %s cannot seal what it sends yet: choose another transport, or set %s=off",
			ErrArg, EnvEncrypt, policy, transport, EnvEncrypt)
	}
	return err
}

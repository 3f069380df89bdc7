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

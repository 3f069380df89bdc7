package seal

import (
	"errors"
	"fmt"
)

// Mode says how records are protected.
type Mode uint8

// The modes.
const (
	// Auth: nothing can be changed, forged or replayed. The payload can be read.
	Auth Mode = 1 + iota
	// Encrypt: nothing can be read either.
	Encrypt
)

// Policy is what a user wants of the traffic between processes: SCTPMPI_ENCRYPT. All processes of a job must want the same.
type Policy uint8

// The policies.
const (
	// Auto, the default, is AlwaysEncrypt, within a host too: what may listen there (CAP_NET_RAW, containers with the host's network) may
	// not read memory.
	Auto Policy = iota
	// Off: nothing is protected.
	Off
	// AlwaysAuth and AlwaysEncrypt: the mode with that name, for all peers.
	AlwaysAuth
	AlwaysEncrypt
)

var policyNames = [...]string{Auto: "auto", Off: "off", AlwaysAuth: "auth", AlwaysEncrypt: "on"}

// String returns the policy's name: what the variable is set to, or auto.
func (p Policy) String() string { return policyNames[p] }

// ErrPolicy: a text names no policy.
var ErrPolicy = errors.New("it must be off, auth or on, or empty for on")

// ParsePolicy decodes a value of SCTPMPI_ENCRYPT. The empty one is Auto.
func ParsePolicy(text string) (Policy, error) {
	if text == "" {
		return Auto, nil
	}
	for p := Off; p <= AlwaysEncrypt; p++ {
		if p.String() == text {
			return p, nil
		}
	}
	return Auto, ErrPolicy
}

// Mode returns the mode of records. The policy is not Off.
func (p Policy) Mode() Mode {
	if p == AlwaysAuth {
		return Auth
	}
	return Encrypt
}

// Allows reports whether a peer with this policy may use a mode.
func (p Policy) Allows(m Mode) bool {
	return p != Off && m == p.Mode()
}

// Agree returns an error that says what to set if two processes have different policies.
func (p Policy) Agree(peers Policy) error {
	if p == peers {
		return nil
	}
	return fmt.Errorf("it has %s and this process %s: set SCTPMPI_ENCRYPT alike in all processes of a job", peers.setting(), p.setting())
}

// setting is how the user has set the policy.
func (p Policy) setting() string {
	if p == Auto {
		return "no SCTPMPI_ENCRYPT"
	}
	return "SCTPMPI_ENCRYPT=" + p.String()
}

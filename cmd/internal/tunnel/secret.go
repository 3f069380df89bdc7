// Package tunnel carries what mpirun and a proxy say to each other between hosts without a remote shell, such as containers: in
// sealed records (package seal), whose keys both have by a handshake that proves that they know the same secret.
//
//	mpirun → proxy    48 bytes   the first message of Noise_NNpsk0_25519_ChaChaPoly_SHA256, whose key follows from the secret
//	proxy → mpirun    48 bytes   the second one. What does not prove the secret gets no answer, and so nothing to check a guess by
//	mpirun → proxy    a record   of one byte, which a first message that was recorded and is played again does not bring about
//	proxy → mpirun    a record   of one byte, when the proxy has taken this connection and no other one
//
// All else is records. Keys are fresh for each connection, and cannot be had from the secret afterwards.
package tunnel

import (
	"errors"

	"github.com/sctpmpi/sctpmpi/cmd/internal/secretfile"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
)

const (
	// leastSecret and mostSecret bound a secret, in bytes. A stranger that connects can try a guess, one for each connection.
	leastSecret = 32
	mostSecret  = 4096
)

// Secret is what both ends know.
type Secret struct{ seal *seal.Secret }

// parties are the two ends: mpirun begins.
var parties = seal.Parties{Initiator: seal.ID{1}, Responder: seal.ID{2}}

// terms are those of what mpirun sends.
var terms = seal.Terms{From: parties.Initiator, To: parties.Responder, Mode: seal.Encrypt, Suite: seal.ChaCha20Poly1305}

// errOther says that the other end has another secret.
var errOther = errors.New("its secret is another one")

// Read reads a secret from a file, which no other user may be able to read. Blanks and newlines around it do not count.
func Read(file string) (*Secret, error) {
	secret, err := secretfile.Read(file, leastSecret, mostSecret)
	if err != nil {
		return nil, err
	}
	return newSecret(secret), nil
}

func newSecret(secret []byte) *Secret { return &Secret{seal.NewSecret(secret, "sctpmpi tunnel 2")} }

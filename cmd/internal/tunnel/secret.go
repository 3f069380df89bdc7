// Package tunnel carries what mpirun and a proxy say to each other between hosts without a remote shell, such as containers: over
// TLS 1.3, for which both have the same secret.
package tunnel

import (
	"bytes"
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"time"
)

const (
	// leastSecret and mostSecret bound a secret, in bytes. A stranger that connects can try guesses: it must have no guess.
	leastSecret = 32
	mostSecret  = 4096
)

// Secret is what both ends know. Each proves it with a key that follows from it.
type Secret struct {
	public ed25519.PublicKey
	config *tls.Config
}

// errOther says that the other end has another secret.
var errOther = errors.New("the secret there is another one")

// Read reads a secret from a file. Blanks and newlines around it do not count.
func Read(file string) (*Secret, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostSecret+1))
	if err != nil {
		return nil, err
	}
	secret := bytes.TrimSpace(text)
	if len(secret) < leastSecret || len(text) > mostSecret {
		return nil, fmt.Errorf("%s must hold a secret of %d to %d bytes, as openssl rand -hex 32 makes them", file, leastSecret, mostSecret)
	}
	return newSecret(secret)
}

func newSecret(secret []byte) (*Secret, error) {
	seed, err := hkdf.Key(sha256.New, secret, nil, "sctpmpi tunnel", ed25519.SeedSize)
	if err != nil {
		return nil, err
	}
	key := ed25519.NewKeyFromSeed(seed)
	// The certificate only holds the key: the rest of it counts for nothing.
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)}
	certificate, err := x509.CreateCertificate(nil, template, template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	s := &Secret{public: key.Public().(ed25519.PublicKey)}
	s.config = &tls.Config{
		MinVersion:   tls.VersionTLS13,
		Certificates: []tls.Certificate{{Certificate: [][]byte{certificate}, PrivateKey: key}},
		// Names and authorities count for nothing, the key does: verify compares it at both ends, for each connection.
		InsecureSkipVerify:     true,
		ClientAuth:             tls.RequireAnyClientCert,
		VerifyConnection:       s.verify,
		SessionTicketsDisabled: true,
	}
	return s, nil
}

// verify accepts an end that has proven to have the key.
func (s *Secret) verify(state tls.ConnectionState) error {
	if len(state.PeerCertificates) != 1 || !s.public.Equal(state.PeerCertificates[0].PublicKey) {
		return errOther
	}
	return nil
}

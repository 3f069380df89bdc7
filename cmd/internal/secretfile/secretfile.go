// Package secretfile reads secrets from files that no other user can read.
package secretfile

import (
	"bytes"
	"fmt"
	"io"
	"os"
)

// Read returns the secret that a file has, of least to most bytes. Blanks and newlines around it do not count. A file that other users may
// read or change is an error.
func Read(file string, least, most int) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := private(f); err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(f, int64(most)+1))
	if err != nil {
		return nil, err
	}
	secret := bytes.TrimSpace(text)
	if len(secret) < least || len(text) > most {
		return nil, fmt.Errorf("%s must hold a secret of %d to %d bytes, as openssl rand -hex 32 makes them", file, least, most)
	}
	return secret, nil
}

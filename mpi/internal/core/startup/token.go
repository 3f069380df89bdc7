package startup

import (
	"context"
	"crypto/rand"
	"encoding/hex"
)

const tokenKey = "sctpmpi-token"

// AgreeOnToken gives all processes of a job the token that rank 0 makes up,
// for launchers that give none.
func AgreeOnToken(ctx context.Context, l Launcher) ([]byte, error) {
	if l.Size() == 1 {
		return NewToken(), nil
	}
	if l.Rank() == 0 {
		if err := l.Put(ctx, tokenKey, hex.EncodeToString(NewToken())); err != nil {
			return nil, err
		}
	}
	if err := l.Fence(ctx); err != nil {
		return nil, err
	}
	text, err := l.Get(ctx, tokenKey)
	if err != nil {
		return nil, err
	}
	return hex.DecodeString(text)
}

// NewToken makes up a token.
func NewToken() []byte {
	token := make([]byte, minToken)
	rand.Read(token) // never fails
	return token
}

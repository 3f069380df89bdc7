package startup

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"

	"github.com/sctpmpi/sctpmpi/internal/pmi"
)

// AgreeOnToken gives all processes of a job the same token: that of mpirun, or one that rank 0 makes up, for
// launchers that have none.
func AgreeOnToken(ctx context.Context, l Launcher) ([]byte, error) {
	if l.Size() == 1 {
		return NewToken(), nil
	}
	if LauncherProcess() != 0 { // mpirun has started this process, or the launcher that has
		text, err := l.Get(ctx, 0, pmi.TokenKey)
		if !errors.Is(err, pmi.ErrKeyNotFound) {
			return token(text, err)
		}
	}
	if l.Rank() == 0 {
		if err := l.Put(ctx, pmi.TokenKey, hex.EncodeToString(NewToken())); err != nil {
			return nil, err
		}
	}
	if err := l.Fence(ctx); err != nil {
		return nil, err
	}
	return token(l.Get(ctx, 0, pmi.TokenKey))
}

// token decodes the token that a launcher has given.
func token(text string, err error) ([]byte, error) {
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

package meeting

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

const (
	magic     = "SCTPMPI-SHM\x02" // the last byte is the version
	nonceSize = 16

	helloSize     = len(magic) + 4 + 4 + nonceSize
	challengeSize = nonceSize + sha256.Size
)

// prove is the proof of one side that it knows the token.
func prove(token []byte, side, name string, hello, nonce []byte) []byte {
	mac := hmac.New(sha256.New, token)
	io.WriteString(mac, side)
	io.WriteString(mac, name)
	mac.Write(hello)
	mac.Write(nonce)
	return mac.Sum(nil)
}

const acceptor, dialer = "shm acceptor", "shm dialer"

// initiate is the dialer's side of the handshake with a listener of this name.
func initiate(conn *net.UnixConn, cfg *Config, peer int, name string) (Process, error) {
	process, err := peerOf(conn)
	if err != nil {
		return process, err
	}
	if err := cfg.challenge(conn, peer, name); err != nil {
		process.Close()
		return noProcess, err
	}
	return process, nil
}

func (cfg *Config) challenge(conn *net.UnixConn, peer int, name string) error {
	hello := []byte(magic)
	hello = binary.BigEndian.AppendUint32(hello, uint32(cfg.Rank))
	hello = binary.BigEndian.AppendUint32(hello, uint32(peer))
	hello = append(hello, make([]byte, nonceSize)...)
	rand.Read(hello[len(hello)-nonceSize:]) // never fails
	if err := write(conn, hello); err != nil {
		return err
	}
	challenge, err := read(conn, challengeSize)
	if err != nil {
		return err
	}
	nonce := challenge[:nonceSize]
	if !hmac.Equal(challenge[nonceSize:], prove(cfg.Token, acceptor, name, hello, nonce)) {
		return ErrToken
	}
	if err := write(conn, prove(cfg.Token, dialer, name, hello, nonce)); err != nil {
		return err
	}
	answer, err := read(conn, 1)
	if err != nil {
		return err
	}
	switch Answer(answer[0]) {
	case Welcome:
		return nil
	case Yours:
		return ErrYours
	case Closed:
		return ErrClosed
	}
	return ErrGarbage
}

// respond is the acceptor's side of the handshake. It returns the dialer's rank. A hello to another rank is not
// answered: a proof in that rank's name would help an attacker to pass for it.
func (cfg *Config) respond(conn *net.UnixConn, name string) (from int, err error) {
	hello, err := read(conn, helloSize)
	if err != nil {
		return 0, err
	}
	ranks := hello[len(magic):]
	dialing, dialed := binary.BigEndian.Uint32(ranks), binary.BigEndian.Uint32(ranks[4:])
	if string(hello[:len(magic)]) != magic {
		return 0, ErrGarbage
	}
	if int64(dialing) >= int64(cfg.Size) || int64(dialed) != int64(cfg.Rank) || dialing == dialed {
		return 0, fmt.Errorf("rank %d dials rank %d, this is rank %d of %d", dialing, dialed, cfg.Rank, cfg.Size)
	}
	challenge := make([]byte, nonceSize, challengeSize)
	rand.Read(challenge)
	nonce := challenge[:nonceSize]
	if err := write(conn, append(challenge, prove(cfg.Token, acceptor, name, hello, nonce)...)); err != nil {
		return 0, err
	}
	proof, err := read(conn, sha256.Size)
	if err != nil {
		return 0, err
	}
	if !hmac.Equal(proof, prove(cfg.Token, dialer, name, hello, nonce)) {
		return 0, ErrToken
	}
	answer := Welcome
	if cfg.Admit != nil {
		answer = cfg.Admit(int(dialing))
	}
	_ = write(conn, []byte{byte(answer)}) // a dialer that has been welcomed is met: if it has gone Exchange says so
	if answer != Welcome {
		return 0, fmt.Errorf("rank %d is not welcome", dialing)
	}
	return int(dialing), nil
}

func write(conn *net.UnixConn, record []byte) error {
	if _, err := conn.Write(record); err != nil {
		return noAnswer(err)
	}
	return nil
}

// read reads a record of a known size. Descriptors that come with it are dropped by the kernel.
func read(conn *net.UnixConn, size int) ([]byte, error) {
	record := make([]byte, size+1)
	n, err := conn.Read(record)
	if err != nil {
		return nil, noAnswer(err)
	}
	if n != size {
		return nil, ErrGarbage
	}
	return record[:n], nil
}

func noAnswer(err error) error { return fmt.Errorf("%w: %w", ErrNoAnswer, err) }

// bound bounds what is done with a connection until release is called: by ctx, and by a time unless that is 0.
func bound(ctx context.Context, conn *net.UnixConn, limit time.Duration) (release func()) {
	var deadline time.Time
	if limit > 0 {
		deadline = time.Now().Add(limit)
	}
	conn.SetDeadline(deadline)
	stop := context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })
	return func() { stop() }
}

// cause is the error of ctx if that is why err came about.
func cause(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, ErrNoAnswer) {
		return fmt.Errorf("%w: %w", ErrNoAnswer, context.Cause(ctx))
	}
	return err
}

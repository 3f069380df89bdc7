package seal

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strings"
)

// Identity is what a socket publishes of itself beside its address.
type Identity struct {
	ID     ID
	Policy Policy
	// AES says that the processor has instructions for it: see HasAES.
	AES bool
}

// Errors of what a peer has published.
var (
	ErrIdentity = errors.New("it has published an address without a valid seal: it is of another version")
	ErrToken    = errors.New("it does not know the job's token: it is not of this job (SCTPMPI_JOB_TOKEN differs)")
)

// identityMark begins an Identity in what is published, and identityVersion is the first field of it.
const (
	identityMark    = "#"
	identityVersion = "1"
	macSize         = 16
)

// Publish returns an address with the Identity of its socket, and a MAC over both: a process without the token can publish
// none, and cannot change what others have published. The address has no "#".
func (i Identity) Publish(s *Secret, address string) string {
	cipher := "chacha"
	if i.AES {
		cipher = "aes"
	}
	text := address + identityMark + strings.Join([]string{identityVersion, i.Policy.String(), cipher, i.ID.String()}, ".")
	return text + "." + s.sign(text)
}

// Read returns the address and the Identity in what a peer has published. ok is false, without an error, if there is none:
// then the text is the address of a socket that seals nothing.
func Read(s *Secret, text string) (address string, i Identity, ok bool, err error) {
	address, identity, ok := strings.Cut(text, identityMark)
	if !ok {
		return address, i, false, nil
	}
	fields := strings.Split(identity, ".")
	if len(fields) != 5 || fields[0] != identityVersion {
		return address, i, true, ErrIdentity
	}
	signed := text[:strings.LastIndexByte(text, '.')]
	if !hmac.Equal([]byte(fields[4]), []byte(s.sign(signed))) {
		return address, i, true, ErrToken
	}
	if fields[1] != Auto.String() {
		if i.Policy, err = ParsePolicy(fields[1]); err != nil {
			return address, i, true, ErrIdentity
		}
	}
	i.AES = fields[2] == "aes"
	if i.ID, err = parseID(fields[3]); err != nil || !i.AES && fields[2] != "chacha" {
		return address, i, true, ErrIdentity
	}
	return address, i, true, nil
}

// sign returns the MAC over what is published.
func (s *Secret) sign(text string) string {
	mac := hmac.New(sha256.New, s.expand(forIdentity, nil, sha256.Size))
	mac.Write([]byte(text))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:macSize])
}

package meeting

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
)

// The parts of an identity, and what it means that they differ.
var differences = [...]string{
	"another version of the library",
	"another host",              // boot id
	"another network namespace", // abstract sockets
	"another PID namespace",     // pidfd_open, process_vm_readv
	"another user namespace",    // process_vm_readv
	"another user",
}

// Here returns the identity of this host, this thread's namespaces and this process's effective user: some 80 characters
// without spaces, which the launcher's data can carry. Processes with the same one can meet and read each other's memory,
// as far as can be told beforehand. Which of the host's names it is known by does not matter. The mount, IPC, UTS and
// cgroup namespaces do not either, as nothing that is used has a name in them.
//
// Virtual machines that were resumed from one snapshot have the same identity. Their peers find nothing to dial.
func Here() (string, error) { return here() }

// Difference says in what the places, or identities, of two processes differ. It is empty if the two can try to meet.
func Difference(one, other string) string {
	ones, others := strings.Split(one, "/"), strings.Split(other, "/")
	for i, what := range differences {
		if i >= len(ones) || i >= len(others) {
			return differences[0]
		}
		if ones[i] != others[i] {
			return what
		}
	}
	return ""
}

// saltSize is the length of a listener's salt in bytes.
const saltSize = 16

// saltOf returns the salt in a place, which follows the identity.
func saltOf(place string) ([]byte, error) {
	parts := strings.Split(place, "/")
	if len(parts) == len(differences)+1 {
		if salt, err := hex.DecodeString(parts[len(differences)]); err == nil && len(salt) == saltSize {
			return salt, nil
		}
	}
	return nil, fmt.Errorf("%w: %q is no place", ErrGarbage, place)
}

// socketName is the name of the socket at which a rank listens, as package net has it: @ stands for the
// byte 0 of abstract names.
func socketName(token []byte, rank int, salt []byte) string {
	mac := hmac.New(sha256.New, token)
	io.WriteString(mac, "shm name")
	mac.Write(binary.BigEndian.AppendUint32(nil, uint32(rank)))
	mac.Write(salt)
	return "@sctpmpi-" + hex.EncodeToString(mac.Sum(nil)[:16])
}

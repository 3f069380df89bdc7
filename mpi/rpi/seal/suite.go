package seal

import (
	"crypto/aes"
	"crypto/cipher"

	"golang.org/x/crypto/chacha20poly1305"
	"golang.org/x/sys/cpu"
)

// Suite is an AEAD.
type Suite uint8

// The suites.
const (
	AES128GCM        Suite = 1 + iota // NIST SP 800-38D
	ChaCha20Poly1305                  // RFC 8439
)

// HasAES reports whether this processor has instructions for AES-GCM. Without them AES is slow, and its timing depends on
// the key.
func HasAES() bool {
	return cpu.X86.HasAES && cpu.X86.HasPCLMULQDQ && cpu.X86.HasSSE41 && cpu.X86.HasSSSE3 ||
		cpu.ARM64.HasAES && cpu.ARM64.HasPMULL ||
		cpu.S390X.HasAES && cpu.S390X.HasAESCTR && cpu.S390X.HasGHASH
}

// SuiteFor returns the suite that two sockets use: AES if both have instructions for it.
func SuiteFor(a, b Identity) Suite {
	if a.AES && b.AES {
		return AES128GCM
	}
	return ChaCha20Poly1305
}

// Known reports whether this is a suite at all.
func (s Suite) Known() bool { return s == AES128GCM || s == ChaCha20Poly1305 }

// TagSize is how many bytes a record is longer than its header and payload, with any suite.
const TagSize = 16

const nonceSize = 12

// keySize returns the length of a key, in bytes.
func (s Suite) keySize() int {
	if s == AES128GCM {
		return 16
	}
	return chacha20poly1305.KeySize
}

// forgeries is how many records with a wrong tag may be tried with a key (RFC 9001, section 6.6, and for GCM with records
// of up to 64 KiB its appendix B.1, to the same chance of 2^-57).
func (s Suite) forgeries() uint64 {
	if s == AES128GCM {
		return 1 << 48
	}
	return 1 << 36
}

// aead returns the AEAD with a key. The key has the suite's length.
func (s Suite) aead(key []byte) cipher.AEAD {
	var a cipher.AEAD
	var err error
	if s == AES128GCM {
		var block cipher.Block
		if block, err = aes.NewCipher(key); err == nil {
			a, err = cipher.NewGCM(block)
		}
	} else {
		a, err = chacha20poly1305.New(key)
	}
	if err != nil {
		panic(err) // a key of another length
	}
	return a
}

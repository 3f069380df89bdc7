package process

import "os"

// Stdin is what rank 0 reads.
type Stdin struct{ File *os.File }

// OpenStdin gives rank 0 the standard input itself.
func OpenStdin(input *os.File) Stdin { return Stdin{input} }

// Close is called once rank 0 has been started.
func (Stdin) Close() {}

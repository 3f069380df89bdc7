package proxy

import (
	"bufio"
	"errors"
	"fmt"
	"strings"

	"github.com/sctpmpi/sctpmpi/cmd/internal/frame"
)

// hello begins the line that a proxy says first, which ends with the version of the protocol.
const hello = "sctpmpi proxy "

// maxNoise bounds what a remote shell may write before that line, in bytes.
const maxNoise = 64 << 10

func greeting() string { return fmt.Sprintf("%s%d\n", hello, frame.Version) }

// readGreeting reads up to a proxy's first line. What login scripts have written before it is noise.
func readGreeting(in *bufio.Reader, noise func(line string)) error {
	for left := maxNoise; left > 0; {
		line, err := in.ReadSlice('\n') // in's own buffer bounds it
		left -= len(line)
		text := strings.TrimRight(string(line), "\r\n")
		if i := strings.Index(text, hello); i >= 0 && err == nil {
			if version := text[i+len(hello):]; version != fmt.Sprint(frame.Version) {
				return fmt.Errorf("mpirun there is of another version (its protocol is %s, this one's is %d); install the same on all hosts",
					version, frame.Version)
			}
			return nil
		}
		if text != "" {
			noise(text)
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
	return fmt.Errorf("it writes more than %d bytes before mpirun starts there; its login scripts should write nothing", maxNoise)
}

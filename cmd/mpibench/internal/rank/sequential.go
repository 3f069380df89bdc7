package rank

import (
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// SequentialMain is a program without messages that only wants to compute: from the byte
// that it reads on to the end of its input. It writes its speed, as a share of what it would
// be on a core of its own, and returns the exit status.
func SequentialMain(in io.Reader, out, stderr io.Writer) int {
	if err := sequential(in, out); err != nil {
		fmt.Fprintf(stderr, "mpibench: %v\n", err)
		return 1
	}
	return 0
}

func sequential(in io.Reader, out io.Writer) error {
	unit() // is to be known before
	if _, err := fmt.Fprintln(out); err != nil {
		return err
	}
	if _, err := io.ReadFull(in, make([]byte, 1)); err != nil {
		return fmt.Errorf("waiting for the word to begin: %w", err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = io.Copy(io.Discard, in)
	}()
	const batch = 1000 // some 0.5 ms
	begun, used, computed := time.Now(), cpuTime(), 0
	for {
		compute(batch)
		computed += batch
		select {
		case <-ended:
			wall := time.Since(begun)
			return json.NewEncoder(out).Encode(Figures{
				"wall_s": wall.Seconds(), "cpu_s": (cpuTime() - used).Seconds(),
				"speed": (time.Duration(computed) * unit()).Seconds() / wall.Seconds(),
			})
		default:
		}
	}
}

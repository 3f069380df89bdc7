package rank

import (
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// SequentialMain is the main function of a program without messages that only computes. It begins
// when it has read a byte and stops at the end of its input. Then it writes its speed as a share of
// its speed on an otherwise idle core. It returns the exit status.
func SequentialMain(in io.Reader, out, stderr io.Writer) int {
	if err := sequential(in, out); err != nil {
		fmt.Fprintf(stderr, "mpibench: %v\n", err)
		return 1
	}
	return 0
}

func sequential(in io.Reader, out io.Writer) error {
	unit() // is measured before the program begins
	if _, err := fmt.Fprintln(out); err != nil {
		return err
	}
	if _, err := io.ReadFull(in, make([]byte, 1)); err != nil {
		return fmt.Errorf("waiting for the signal to begin: %w", err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = io.Copy(io.Discard, in)
	}()
	const batch = 32_000 // some 0.5 ms
	begun, used, computed := time.Now(), cpuTime(), 0
	for {
		compute(batch)
		computed += batch
		select {
		case <-ended:
			wall := time.Since(begun)
			return json.NewEncoder(out).Encode(Figures{
				"wall_s": wall.Seconds(), "cpu_s": (cpuTime() - used).Seconds(),
				"speed": float64(computed) * unit() / 1e9 / wall.Seconds(),
			})
		default:
		}
	}
}

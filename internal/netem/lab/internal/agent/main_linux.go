// Command agent is the init process of labs whose program cannot be it: one built with the race detector.
package main

import (
	"fmt"
	"os"

	_ "github.com/sctpmpi/sctpmpi/internal/netem/lab"
)

func main() {
	fmt.Fprintln(os.Stderr, "agent: only the kernel of a lab starts this program")
	os.Exit(2)
}

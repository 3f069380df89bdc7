package campaign

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Build names what jobs consist of: the version, and a hash of the programs' files, as not every change has a version.
func Build(programs ...string) (string, error) {
	hash := sha256.New()
	for _, name := range programs {
		if err := add(hash, name); err != nil {
			return "", fmt.Errorf("which build this is: %w", err)
		}
	}
	return fmt.Sprintf("%s, SHA-256 %x", rpi.Version(), hash.Sum(nil)[:8]), nil
}

func add(w io.Writer, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(w, f)
	return err
}

// Resumable says why the run in a directory, if there is one, cannot be gone on with by this build, or in this order.
func Resumable(dir, build string, quick bool, seed uint64) error {
	before, err := ReadEnvironment(dir)
	if err != nil {
		return err
	}
	return before.agrees(dir, Environment{Build: build, Quick: quick, Seed: seed})
}

// agrees compares what results of one run must have in common.
func (e Environment) agrees(dir string, now Environment) error {
	switch {
	case e.Quick != now.Quick || e.Seed != now.Seed:
		return fmt.Errorf("the run in %s was begun with --quick=%v --seed=%d: resume it with the same, or begin another with --out",
			dir, e.Quick, e.Seed)
	case e.Build != now.Build:
		return fmt.Errorf("the run in %s is of another build (%s) than this (%s): resume it with the programs that began it, "+
			"or begin another with --out", dir, e.Build, now.Build)
	}
	return nil
}

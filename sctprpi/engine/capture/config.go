package capture

import "fmt"

const (
	defaultApplication = "sctpmpi"
	maxApplication     = 1024

	defaultMaxBytes = 1 << 30
	minMaxBytes     = 1 << 20

	defaultBuffer = 16 << 20
	minBuffer     = 2 * chunkSize
)

// Config says how to capture. Its zero value is ready for use.
type Config struct {
	// Application is the name that the file gives as that of the program that
	// wrote it, such as "taskfarm, rank 3 of 8": UTF-8, at most 1024 bytes, the
	// default "sctpmpi".
	Application string

	// MaxBytes bounds what a capture takes on disk, in bytes: both files, see
	// the package's documentation. At least 1 MiB, the default 1 GiB. It does
	// not count for New nor for what is not a regular file, a named pipe that
	// Wireshark reads for one.
	MaxBytes int64

	// Buffer bounds the memory, in bytes, of packets that wait to be written.
	// It is allocated in pieces of 256 KiB as it is needed. At least 512 KiB,
	// the default 16 MiB.
	Buffer int
}

// withDefaults returns c with its zero fields set, or what is wrong with it.
func (c Config) withDefaults() (Config, error) {
	if c.Application == "" {
		c.Application = defaultApplication
	}
	if c.MaxBytes == 0 {
		c.MaxBytes = defaultMaxBytes
	}
	if c.Buffer == 0 {
		c.Buffer = defaultBuffer
	}
	switch {
	case len(c.Application) > maxApplication:
		return c, fmt.Errorf("capture: Config.Application has %d bytes, at most %d fit", len(c.Application), maxApplication)
	case c.MaxBytes < minMaxBytes:
		return c, fmt.Errorf("capture: Config.MaxBytes is %d, must be at least %d, or 0 for the default", c.MaxBytes, minMaxBytes)
	case c.Buffer < minBuffer:
		return c, fmt.Errorf("capture: Config.Buffer is %d, must be at least %d, or 0 for the default", c.Buffer, minBuffer)
	}
	return c, nil
}

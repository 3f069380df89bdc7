//go:build !linux

package process

import "errors"

// Bind says that ranks cannot be bound here.
func Bind(int) (Binding, error) {
	return nil, errors.New("--bind-to core: ranks can be bound to cores on Linux only")
}

func on(_ []int, start func() error) error { return start() }

//go:build !linux

package ranks

import "errors"

type resources struct{ sockets, memory, cpu, waits float64 }

func usage() (resources, error) { return resources{}, errors.ErrUnsupported }

//go:build !linux

package udp

import "time"

func awaitReadable(int, time.Duration) bool { panic("udp: there are no descriptors") }

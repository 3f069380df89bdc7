//go:build !linux

package ranks

func receivedByFirst() float64 { return 0 }

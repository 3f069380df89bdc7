//go:build !linux

package ranks

func setRTOMin(string) error { return nil }

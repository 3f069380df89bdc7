//go:build !linux

package doctor

func systemChecks() []check { return nil }

func clockSource() string { return "" }

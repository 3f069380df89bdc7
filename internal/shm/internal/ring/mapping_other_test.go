//go:build !linux

package ring

var twoMappings []mapping

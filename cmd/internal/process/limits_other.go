//go:build !linux

package process

// resources are those of this host that bound the number of ranks.
func resources() []resource { return []resource{descriptors(maxDescriptors())} }

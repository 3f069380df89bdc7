//go:build !linux

package udp

func open(s *shared, port uint16, c Config) (socket, error) { return openPortable(s, port, c) }

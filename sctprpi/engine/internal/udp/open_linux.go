package udp

func open(s *shared, port uint16, c Config) (socket, error) { return openNative(s, port, c) }

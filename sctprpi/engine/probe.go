package engine

import (
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/udp"
)

// Facilities is what this host grants to the engine's UDP sockets.
type Facilities struct {
	// ReceiveBuffer and SendBuffer are the sizes of the socket's buffers, as far as they are known, and AskedBuffer is what it
	// asks for, for each. In bytes.
	ReceiveBuffer, SendBuffer, AskedBuffer int
	// Segmentation and Coalescing tell whether one system call can send and receive many packets: UDP_SEGMENT, UDP_GRO.
	Segmentation, Coalescing bool
}

// Probe opens a socket on the loopback interface as Open does, and closes it.
func Probe() (Facilities, error) {
	conn, err := udp.Listen(new(packet.Pool), 0, loopback, udp.Config{})
	if err != nil {
		return Facilities{}, err
	}
	f := Facilities{AskedBuffer: udp.DefaultBuffer}
	f.ReceiveBuffer, f.SendBuffer = conn.Buffers()
	s := conn.Stats()
	f.Segmentation, f.Coalescing = s.Segmentation, s.Coalescing
	return f, conn.Close()
}

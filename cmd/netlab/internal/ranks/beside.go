package ranks

import (
	"net"
	"sync/atomic"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// besideTCP is one end of the connection that Bulk.Beside is. A nil one does nothing.
type besideTCP struct{ conn *net.TCPConn }

// meet makes the connection between ranks 0 and 1, if there is to be one.
func (p Bulk) meet(world *mpi.Comm) (*besideTCP, error) {
	if p.Beside == "" || world.Rank() > 1 {
		return nil, nil
	}
	address := make([]byte, 64)
	if world.Rank() == 0 {
		status, err := mpi.Recv(world, address, 1, tagMeasured)
		if err != nil {
			return nil, err
		}
		d := net.Dialer{Control: using(p.Beside), Timeout: time.Minute}
		conn, err := d.Dial("tcp", string(address[:status.Count]))
		if err != nil {
			return nil, err
		}
		return &besideTCP{conn.(*net.TCPConn)}, nil
	}
	l, err := net.ListenTCP("tcp", &net.TCPAddr{IP: hostAddress()})
	if err != nil {
		return nil, err
	}
	defer l.Close()
	if err := mpi.Send(world, []byte(l.Addr().String()), 0, tagMeasured); err != nil {
		return nil, err
	}
	if err := l.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		return nil, err
	}
	conn, err := l.AcceptTCP()
	if err != nil {
		return nil, err
	}
	return &besideTCP{conn}, nil
}

// hostAddress is that of the host's first network, loopback if it has none of the name that networks of experiments have.
func hostAddress() net.IP {
	if i, err := net.InterfaceByName("eth0"); err == nil {
		addrs, _ := i.Addrs()
		for _, a := range addrs {
			if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil {
				return n.IP
			}
		}
	}
	return net.IPv4(127, 0, 0, 1)
}

// fill sends until time is up.
func (b *besideTCP) fill(over *atomic.Bool) error {
	if b == nil {
		return nil
	}
	data := make([]byte, 64<<10)
	for !over.Load() {
		if err := b.conn.SetWriteDeadline(time.Now().Add(time.Second)); err != nil {
			return err
		}
		if _, err := b.conn.Write(data); err != nil && !over.Load() {
			if e, slow := err.(net.Error); !slow || !e.Timeout() {
				return err
			}
		}
	}
	return b.conn.CloseWrite()
}

// drain returns how many bytes have come from settle to end, counted from the first.
func (b *besideTCP) drain(settle, end time.Duration) float64 {
	if b == nil {
		return 0
	}
	var t taken
	data := make([]byte, 64<<10)
	for {
		n, err := b.conn.Read(data)
		t.arrived(time.Now(), n, settle, end)
		if err != nil {
			return t.bytes
		}
	}
}

func (b *besideTCP) close() {
	if b != nil {
		b.conn.Close()
	}
}

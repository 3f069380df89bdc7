package ranks

import (
	"bytes"
	"os"
	"strconv"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// sending is how many segments of TCP, or chunks of data of SCTP, have been sent, and how many of them once more.
type sending struct{ all, again float64 }

// packets are those that this process has sent, over SCTP, or all processes of its host, over TCP: in a lab each rank has a host.
func packets(world *mpi.Comm) (s sending) {
	if u := world.Usage(); u.Chunks > 0 {
		return sending{float64(u.Chunks), float64(u.Resent)}
	}
	text, _ := os.ReadFile("/proc/self/net/snmp") // other systems have none
	return segments(text)
}

// segments reads /proc/net/snmp: for each protocol a line of names and one of numbers.
func segments(text []byte) (s sending) {
	var names [][]byte
	for line := range bytes.Lines(text) {
		fields := bytes.Fields(line)
		if len(fields) == 0 || string(fields[0]) != "Tcp:" {
			continue
		}
		if names == nil {
			names = fields
			continue
		}
		for i, field := range fields[:min(len(fields), len(names))] {
			value, _ := strconv.ParseFloat(string(field), 64)
			switch string(names[i]) {
			case "OutSegs":
				s.all += value
			case "RetransSegs":
				s.all += value // which OutSegs leaves out (RFC 4022)
				s.again = value
			}
		}
	}
	return s
}

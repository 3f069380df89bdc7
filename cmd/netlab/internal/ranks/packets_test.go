package ranks

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSegmentsAreThoseOfTCP(t *testing.T) {
	text := "Ip: Forwarding OutSegs\nIp: 1 7\nTcp: RtoAlgorithm InSegs OutSegs RetransSegs InErrs\nTcp: 1 50 190 10 0\nUdp: InDatagrams\nUdp: 3\n"
	assert.Equal(t, sending{200, 10}, segments([]byte(text)))
	assert.Zero(t, segments(nil))
	assert.Zero(t, segments([]byte("Tcp: OutSegs\nTcp:\n")))
}

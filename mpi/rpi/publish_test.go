package rpi

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A translator of addresses maps a range of ports to another one.
func TestPublishedPortIsAsFarAboveItsBase(t *testing.T) {
	local := netip.MustParseAddrPort("10.0.0.2:7005")
	assert.Equal(t, local, Config{}.Published(local))
	assert.Equal(t, netip.MustParseAddrPort("192.0.2.1:7005"), Config{Publish: netip.MustParseAddrPort("192.0.2.1:0")}.Published(local))
	assert.Equal(t, netip.MustParseAddrPort("192.0.2.1:8005"), Config{Publish: netip.MustParseAddrPort("192.0.2.1:8000"), PortLow: 7000, PortHigh: 7063}.Published(local))
}

func TestWhatCannotBePublished(t *testing.T) {
	at := netip.MustParseAddrPort
	assert.NoError(t, CheckPublish(netip.AddrPort{}, 2, 0, 0))
	assert.NoError(t, CheckPublish(at("192.0.2.1:0"), 1, 0, 0))
	assert.NoError(t, CheckPublish(at("192.0.2.1:65000"), 1, 7000, 7535))
	assert.ErrorContains(t, CheckPublish(at("192.0.2.1:0"), 2, 0, 0), "it stands for one address, and SCTPMPI_INTERFACE names 2")
	assert.ErrorContains(t, CheckPublish(at("192.0.2.1:8000"), 1, 0, 0), "a port needs SCTPMPI_PORT_RANGE")
	assert.ErrorContains(t, CheckPublish(at("192.0.2.1:65000"), 1, 7000, 7536), "port 65000 is too great for the 537 ports")
}

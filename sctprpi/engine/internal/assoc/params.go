package assoc

import (
	"net/netip"
	"slices"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/cookie"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// Offer is what the parameters of an INIT or INIT ACK chunk say.
type Offer struct {
	// Addrs are the peer's addresses beside the packet's source, as far as
	// this host could use them, at most cookie.MaxAddrs.
	Addrs []netip.Addr
	// Features are those that the peer and this host both support.
	Features cookie.Features
	// StreamLimit is the peer's, if cookie.StreamCredit is among the Features.
	StreamLimit wire.StreamLimit
	// Unrecognized are the parameters to report to the peer.
	Unrecognized []wire.Param
}

// maxUnrecognized bounds the parameters reported, and maxReported the length of
// each, so that the report fits a packet on any path.
const (
	maxUnrecognized = 8
	maxReported     = 64
)

// AppendParams appends the parameters of an INIT or INIT ACK chunk for a peer at an
// address. Supported Address Types is not among them: addresses of other types that the
// peer lists are passed over, and there are peers that refuse an INIT chunk with it.
func (h *Host) AppendParams(l wire.Params, peer netip.Addr) wire.Params {
	if len(h.Addrs) > 1 {
		for _, addr := range h.Addrs {
			if addr.IsLoopback() == peer.IsLoopback() {
				l = l.AppendAddress(addr)
			}
		}
	}
	extensions := wire.NumbersOf(wire.TypeForwardTSN)
	if h.Config.Interleaving {
		extensions = extensions.Append(wire.TypeIData).Append(wire.TypeIForwardTSN)
	}
	l = l.AppendSupportedExtensions(extensions).AppendForwardTSNSupported()
	if h.Config.ECN {
		l = l.AppendECNCapable()
	}
	if h.Trusted {
		l = l.AppendZeroChecksumAcceptable(trusted)
	}
	return l
}

// AppendStreamLimit appends what has a peer that knows of it keep to a limit for each
// stream: to an INIT chunk, and to an INIT ACK chunk if the INIT chunk had it.
func (h *Host) AppendStreamLimit(l wire.Params) wire.Params {
	if h.Standard {
		return l
	}
	return l.AppendStreamLimit(wire.StreamLimit{
		Bytes: uint32(min(h.Config.StreamLimit, wire.MaxStreamLimit)), Whole: h.Config.WholeMessages,
		Base: uint32(h.Config.StreamBase), Pool: uint32(h.Config.StreamPool),
	})
}

// multipath reports whether peers are told that data may go on several paths at once.
func (h *Host) multipath() bool { return h.Config.Multipath && !h.Standard }

// AppendMultipath appends what has a peer that does so too send on several paths at once: to an INIT chunk, and to an INIT ACK chunk if the
// INIT chunk had it.
func (h *Host) AppendMultipath(l wire.Params) wire.Params {
	if h.multipath() {
		return l.AppendMultipath()
	}
	return l
}

// ReadParams reads the parameters of a peer's INIT or INIT ACK chunk that came from
// an address. An error is to be answered with an ABORT chunk of its cause; param is
// then the parameter in question.
func (h *Host) ReadParams(params wire.Params, source netip.Addr) (o Offer, param wire.Param, err error) {
	var idata, iforward, forward bool
	for p := range params.All() {
		switch p.Type {
		case wire.ParamIPv4Address, wire.ParamIPv6Address:
			addr, err := p.Address()
			if err != nil {
				return o, p, err
			}
			if h.usable(addr, source) && !slices.Contains(o.Addrs, addr) && len(o.Addrs) < cookie.MaxAddrs {
				o.Addrs = append(o.Addrs, addr)
			}
		case wire.ParamHostName:
			return o, p, errHostName
		case wire.ParamForwardTSNSupported:
			forward = true
		case wire.ParamSupportedExtensions:
			types := p.SupportedExtensions()
			idata = types.Contains(wire.TypeIData)
			iforward = types.Contains(wire.TypeIForwardTSN)
		case wire.ParamZeroChecksumAcceptable:
			if method, err := p.ZeroChecksumAcceptable(); err == nil && method == trusted && h.Trusted {
				o.Features |= cookie.ZeroChecksum
			}
		case wire.ParamStreamLimit:
			if limit, err := p.StreamLimit(); err == nil && !h.Standard {
				o.Features |= cookie.StreamCredit
				o.StreamLimit = limit
			}
		case wire.ParamMultipath:
			if p.Multipath() == nil && h.multipath() {
				o.Features |= cookie.Multipath
			}
		case wire.ParamECNCapable:
			if p.ECNCapable() == nil && h.Config.ECN {
				o.Features |= cookie.ECN
			}
		case wire.ParamStateCookie, wire.ParamUnrecognized, wire.ParamCookiePreservative,
			wire.ParamSupportedAddressTypes, wire.ParamPadding:
		default:
			action := p.Type.UnknownAction()
			if action.Report() && len(o.Unrecognized) < maxUnrecognized && len(p.Bytes()) <= maxReported {
				o.Unrecognized = append(o.Unrecognized, p)
			}
			if action.Stop() {
				return h.settle(o, idata, iforward, forward), p, nil
			}
		}
	}
	return h.settle(o, idata, iforward, forward), wire.Param{}, nil
}

// settle works out which features both sides support.
func (h *Host) settle(o Offer, idata, iforward, forward bool) Offer {
	if idata && h.Config.Interleaving {
		o.Features |= cookie.Interleaving
		forward = forward && iforward
	}
	if forward {
		o.Features |= cookie.PartialReliability
	}
	return o
}

// errHostName: host names in place of addresses are a thing of the past (RFC 9260,
// section 3.3.2.1.4).
var errHostName = &wire.Error{
	Cause: wire.CauseUnresolvableAddress, Rule: "host name address parameter, which RFC 9260 forbids",
}

// usable reports whether an address that a peer at source lists may be one of its
// paths.
func (h *Host) usable(addr, source netip.Addr) bool {
	switch {
	case addr == source, addr.IsUnspecified(), addr.IsMulticast(), addr.IsInterfaceLocalMulticast(),
		addr == netip.AddrFrom4([4]byte{255, 255, 255, 255}), addr.IsLinkLocalUnicast():
		return false
	case addr.IsLoopback() != source.IsLoopback():
		return false
	case len(h.Addrs) == 0:
		return addr.Is4() == source.Is4()
	}
	return slices.ContainsFunc(h.Addrs, func(local netip.Addr) bool { return local.Is4() == addr.Is4() })
}

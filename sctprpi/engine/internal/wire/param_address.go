package wire

import "net/netip"

// AppendAddress adds an IPv4 Address or IPv6 Address parameter, whichever a
// needs. An IPv4-mapped IPv6 address goes as the IPv4 address that it is; a
// zone is left out; the zero Addr adds nothing.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+-------------------------------+-------------------------------+
//	|         Type = 5 or 6         |       Length = 8 or 20        |
//	+-------------------------------+-------------------------------+
//	\               IPv4 Address or IPv6 Address                    \
//	+---------------------------------------------------------------+
//
// See [RFC 9260, section 3.3.2.1].
//
// [RFC 9260, section 3.3.2.1]: https://www.rfc-editor.org/rfc/rfc9260#section-3.3.2.1
func (l Params) AppendAddress(a netip.Addr) Params {
	switch a = a.Unmap(); {
	case a.Is4():
		v := a.As4()
		return l.append(ParamIPv4Address, v[:])
	case a.Is6():
		v := a.As16()
		return l.append(ParamIPv6Address, v[:])
	default:
		return l
	}
}

var errAddress = violation("address parameter of a wrong length or with an IPv4-mapped IPv6 address")

// Address decodes an IPv4 Address or IPv6 Address parameter. It refuses an
// IPv4-mapped IPv6 address, which would name an IPv4 address twice. Whether an
// association can want the address, the unspecified one or a multicast group
// for example, is for the caller to check.
func (p Param) Address() (netip.Addr, error) {
	switch v := p.Value(); {
	case p.Type == ParamIPv4Address && len(v) == 4:
		return netip.AddrFrom4([4]byte(v)), nil
	case p.Type == ParamIPv6Address && len(v) == 16:
		if a := netip.AddrFrom16([16]byte(v)); !a.Is4In6() {
			return a, nil
		}
	}
	return netip.Addr{}, errAddress
}

// AppendSupportedAddressTypes adds a Supported Address Types parameter. Types
// are ParamIPv4Address and ParamIPv6Address. Without this parameter, an INIT
// chunk's sender takes addresses of any type.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+-------------------------------+-------------------------------+
//	|           Type = 12           |            Length             |
//	+-------------------------------+-------------------------------+
//	|        Address Type #1        |        Address Type #2        |
//	+-------------------------------+-------------------------------+
//
// See [RFC 9260, section 3.3.2.1.5].
//
// [RFC 9260, section 3.3.2.1.5]: https://www.rfc-editor.org/rfc/rfc9260#section-3.3.2.1.5
func (l Params) AppendSupportedAddressTypes(types Numbers[ParamType]) Params {
	return l.append(ParamSupportedAddressTypes, types)
}

var errAddressTypes = violation("supported address types parameter with half a type")

// SupportedAddressTypes decodes a Supported Address Types parameter. Types
// other than those of the addresses above are to be ignored.
func (p Param) SupportedAddressTypes() (Numbers[ParamType], error) {
	types := Numbers[ParamType](p.Value())
	if !types.whole() {
		return nil, errAddressTypes
	}
	return types, nil
}

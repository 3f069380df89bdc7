package netem

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netlink/nl"
	"golang.org/x/sys/unix"
)

// Attributes of the netem queueing discipline that the netlink package lacks, from linux/pkt_sched.h.
const (
	attrLatency64 = 10
	attrJitter64  = 11
	lossGE        = 2 // within nl.TCA_NETEM_LOSS
)

// Apply sets the conditions of packets that leave by a device of the calling thread's network namespace, in place of
// former ones. It needs root and the module sch_netem.
//
// A packet is what the device is given: with segmentation offload up to 64 KiB of many segments, which are then lost
// together. Topologies make sure that it is one packet of the network.
func (c Conditions) Apply(device string) error {
	if err := c.Validate(); err != nil {
		return err
	}
	link, err := netlink.LinkByName(device)
	if err != nil {
		return fmt.Errorf("netem: device %s: %w", device, err)
	}
	command, flags := unix.RTM_NEWQDISC, unix.NLM_F_CREATE|unix.NLM_F_REPLACE|unix.NLM_F_ACK
	if c == (Conditions{}) {
		command, flags = unix.RTM_DELQDISC, unix.NLM_F_ACK
	}
	r := nl.NewNetlinkRequest(command, flags)
	r.AddData(&nl.TcMsg{
		Family: nl.FAMILY_ALL, Ifindex: int32(link.Attrs().Index), Parent: netlink.HANDLE_ROOT,
		Handle: netlink.MakeHandle(1, 0),
	})
	if c != (Conditions{}) {
		r.AddData(nl.NewRtAttr(nl.TCA_KIND, nl.ZeroTerminated("netem")))
		r.AddData(c.options())
	}
	_, err = r.Execute(unix.NETLINK_ROUTE, 0)
	switch {
	case c == (Conditions{}) && errors.Is(err, unix.ENOENT), c == (Conditions{}) && errors.Is(err, unix.EINVAL):
		return nil // there was none
	case errors.Is(err, unix.ENOENT):
		return fmt.Errorf("netem: this kernel has no sch_netem (%w): modprobe sch_netem, or use a lab: netlab exec -- PROGRAM", err)
	case err != nil:
		return fmt.Errorf("netem: %v on device %s: %w", c, device, explain(err))
	}
	return nil
}

// options returns the conditions as the kernel's TCA_OPTIONS.
func (c Conditions) options() *nl.RtAttr {
	limit := cmp.Or(c.Limit, DefaultLimit)
	var gap uint32
	if c.Reorder != 0 {
		gap = 1
	}
	// Times are in the attributes below: those here have a unit that depends on the host.
	o := nl.NewRtAttr(nl.TCA_OPTIONS, encode(nl.TcNetemQopt{
		Limit: limit, Loss: c.Loss.fraction(), Gap: gap, Duplicate: c.Duplicate.fraction(),
	}))
	o.AddRtAttr(attrLatency64, encode(int64(c.Delay)))
	o.AddRtAttr(attrJitter64, encode(int64(c.Jitter)))
	if b := c.LossBurst; b != (GilbertElliott{}) {
		loss := nl.NewRtAttr(nl.TCA_NETEM_LOSS|unix.NLA_F_NESTED, nil)
		loss.AddRtAttr(lossGE, encode([]uint32{
			b.P.fraction(), b.R.fraction(), (100 - b.LossBad).fraction(), b.LossGood.fraction(),
		}))
		o.AddChild(loss)
	}
	// The kernel keeps the former value of those that are not mentioned.
	o.AddRtAttr(nl.TCA_NETEM_REORDER, encode([]uint32{c.Reorder.fraction(), 0}))
	o.AddRtAttr(nl.TCA_NETEM_CORRUPT, encode([]uint32{c.Corrupt.fraction(), 0}))
	bytes := uint64(c.Rate / 8)
	if bytes > math.MaxUint32 {
		o.AddRtAttr(nl.TCA_NETEM_RATE64, encode(bytes))
	}
	o.AddRtAttr(nl.TCA_NETEM_RATE, encode([]uint32{uint32(min(bytes, math.MaxUint32)), 0, 0, 0}))
	return o
}

// fraction returns the share in the kernel's unit, of which all packets are 2^32-1.
func (p Percent) fraction() uint32 {
	return uint32(math.Round(float64(p) / 100 * math.MaxUint32))
}

func encode(v any) []byte {
	var b bytes.Buffer
	if err := binary.Write(&b, binary.NativeEndian, v); err != nil {
		panic(err) // a type of no fixed size
	}
	return b.Bytes()
}

// explain adds advice to errors which mean that something is missing.
func explain(err error) error {
	switch {
	case errors.Is(err, unix.EPERM), errors.Is(err, unix.EACCES):
		return fmt.Errorf("%w: run as root, or in a lab: netlab exec -- PROGRAM", err)
	case errors.Is(err, unix.EOPNOTSUPP):
		return fmt.Errorf("%w: the kernel lacks veth or bridge: modprobe veth bridge, or use a lab: netlab exec -- PROGRAM", err)
	}
	return err
}

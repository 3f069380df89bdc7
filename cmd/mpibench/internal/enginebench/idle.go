package enginebench

import (
	"context"
	"fmt"

	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/peer"
)

const (
	idleName         = "idle"
	idleAssociations = 2000
	idleSteps        = 2
	// The names of samples.
	alone, with, perAssociation = "alone", "with", "bytes"
)

// idleRound measures the latency over one association of an endpoint, has a third
// process make many others to the same endpoint, and measures again.
func (r *run) idleRound(ctx context.Context, c Contender) error {
	pair, err := r.open(ctx, c, withChecksum)
	if err != nil {
		return err
	}
	defer pair.Close()
	if err := r.idleLatency(ctx, pair, alone); err != nil {
		return err
	}
	before, err := pair.Listener(ctx, peer.Request{Action: peer.Heap})
	if err != nil {
		return err
	}
	crowd, err := peer.Start(c.Command...)
	if err != nil {
		return err
	}
	defer crowd.Close()
	if err := r.admit(ctx, pair, crowd, c.Name); err != nil {
		return err
	}
	after, err := pair.Listener(ctx, peer.Request{Action: peer.Heap})
	if err != nil {
		return err
	}
	// Signed: what was in use before may have been let go meanwhile.
	r.idle.add(Figures{perAssociation: (float64(after.HeapBytes) - float64(before.HeapBytes)) / idleAssociations})
	return r.idleLatency(ctx, pair, with)
}

func (r *run) idleLatency(ctx context.Context, pair *peer.Pair, name string) error {
	f, err := measure(ctx, pair, measurement{peer.Latency, 64, ""}, r.Duration)
	if err == nil {
		r.idle.add(Figures{name: f[halfRTT]})
		r.step()
	}
	return err
}

func (r *run) admit(ctx context.Context, pair *peer.Pair, crowd *peer.Process, transport string) error {
	limit := stepLimit(r.Duration)
	ctx, cancel := context.WithTimeoutCause(ctx, limit,
		fmt.Errorf("%d idle associations were not made within %v", idleAssociations, limit))
	defer cancel()
	return pair.Admit(ctx, crowd, peer.Request{
		Action: peer.Crowd, Transport: transport, Addr: pair.Addr, Count: idleAssociations,
	})
}

// idleReport sums up all rounds, nil if none has come to its end.
func (r *run) idleReport() *Idle {
	m := r.idle.medians()
	if _, complete := m[with]; !complete {
		return nil
	}
	return &Idle{
		HalfRTTAlone: m[alone], HalfRTTWith: m[with], Ratio: m[with] / m[alone],
		BytesPerAssociation: m[perAssociation],
	}
}

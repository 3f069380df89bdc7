package schedule

// Introduce sends p from the first rank to all, and each rank a message to each other one. It has connections made.
func Introduce(b *Builder, r Ranks, p Part, after Ref) Ref {
	done := after
	for distance := 1; distance < r.Size; distance++ {
		sent, got := Part{}, Part{}
		to, from := (r.Me+distance)%r.Size, (r.Me-distance+r.Size)%r.Size
		if r.Me == 0 {
			sent = p
		}
		if from == 0 {
			got = p
		}
		done = b.Join(done, b.Send(r.At(to), sent, after), b.Recv(r.At(from), got, after))
	}
	return done
}

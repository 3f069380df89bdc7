package seal

// Chain has the keys of one direction of a connection: one after the other, as both ends count records. Each has an epoch, and
// follows from the last one by a function that cannot be turned back (Secret.Next). The Chain forgets each Secret with which it
// has made a Sealer or an Opener. One goroutine at a time uses it.
type Chain struct {
	terms  Terms   // of the present key
	next   *Secret // of the key that follows
	begun  bool    // there is a present key
	perKey int
	left   int // how many more records the present key is for
}

// NewChain returns the Chain of a Secret, which a handshake has resulted in and no other code uses, and of the terms of its first
// records. Each key is for perKey records.
func NewChain(first *Secret, terms Terms, perKey int) Chain {
	return Chain{terms: terms, next: first, perKey: perKey}
}

// NextSealer goes on to the next key, which at the beginning is the first, and returns its Sealer, the only one.
func (c *Chain) NextSealer() *Sealer { return c.take().Sealer(c.terms) }

// NextOpener goes on to the next key, and returns its Opener.
func (c *Chain) NextOpener() *Opener { return c.take().Opener(c.terms) }

// take returns the Secret of the next key.
func (c *Chain) take() *Secret {
	if c.begun {
		c.terms.Epoch++
	}
	s := c.next
	c.begun, c.next, c.left = true, s.Next(), c.perKey
	return s
}

// Count counts records of the present key.
func (c *Chain) Count(records int) { c.left -= records }

// Spent reports whether the present key has had its records, or there is none.
func (c *Chain) Spent() bool { return c.left <= 0 }

// Epoch is that of the present key.
func (c *Chain) Epoch() uint64 { return c.terms.Epoch }

package matching_test

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/matching"
)

// A packet with the first message is late. It delays only the receive of any
// tag, which must respect the order of all messages.
func ExampleEngine() {
	var e matching.Engine
	report := func() {
		for r := e.Next(); r != nil; r = e.Next() {
			fmt.Printf("%s takes %q\n", r.Owner, r.Message.Body)
		}
	}
	arrive := func(tag matching.Tag, seq matching.Seq, body string) {
		fmt.Printf("%q arrives\n", body)
		m := &matching.Message{
			Envelope: matching.Envelope{Tag: tag, Seq: seq},
			Source:   3,
			Body:     []byte(body),
		}
		if err := e.Arrive(m); err != nil {
			fmt.Println(err)
		}
		report()
	}
	e.Post(&matching.Receive{Source: 3, Tag: 5, Owner: "tag 5"})
	e.Post(&matching.Receive{Source: 3, Tag: matching.AnyTag, Owner: "any tag"})
	e.Post(&matching.Receive{Source: 3, Tag: 6, Owner: "tag 6"})

	arrive(5, 1, "second")
	arrive(6, 2, "third")
	arrive(4, 0, "first")
	// Output:
	// "second" arrives
	// tag 5 takes "second"
	// "third" arrives
	// "first" arrives
	// any tag takes "first"
	// tag 6 takes "third"
}

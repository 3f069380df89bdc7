package schedule

// table has the rows of each operation.
var table = [operations][]row{
	OpBcast: {
		{unlimited, unlimited, Choice{Binomial, 0}},
	},
}

package schedule

// table says how algorithms are chosen: see row.
var table = [operations][]row{
	OpBarrier: {
		{unlimited, unlimited, fewMessages, Choice{Tree, 0}},
		{unlimited, unlimited, always, Choice{Dissemination, 0}},
	},
	OpBcast: {
		{2, unlimited, always, Choice{Binomial, 0}},
		{unlimited, 12 << 10, always, Choice{Binomial, 0}},
		{8, 512 << 10, always, Choice{ScatterAllgather, 0}},
		{8, unlimited, always, Choice{Chain, 64 << 10}},
		{64, 16 << 20, always, Choice{ScatterAllgather, 0}},
		{64, unlimited, always, Choice{Chain, 128 << 10}},
		{unlimited, unlimited, always, Choice{ScatterAllgather, 0}},
	},
	OpReduce: {
		{unlimited, 12 << 10, always, Choice{Binomial, 0}},
		{2, unlimited, always, Choice{Binomial, 0}},
		{unlimited, unlimited, commuting, Choice{Circulant, 0}},
		{unlimited, unlimited, always, Choice{Halving, 0}},
	},
	OpAllreduce: {
		{unlimited, 12 << 10, fewMessages, Choice{Tree, 0}},
		{unlimited, 12 << 10, always, Choice{Doubling, 0}},
		{8, 16 << 20, commuting, Choice{Circulant, 0}},
		{8, unlimited, commuting, Choice{Ring, 0}},
		{unlimited, unlimited, commuting, Choice{Circulant, 0}},
		{unlimited, unlimited, always, Choice{Halving, 0}},
	},
	OpReduceScatter: {
		{unlimited, unlimited, commuting, Choice{Circulant, 0}},
		{16, unlimited, always, Choice{Pairwise, 0}},
		{unlimited, 64 << 10, always, Choice{ReduceThenScatter, 0}},
		{unlimited, unlimited, always, Choice{Pairwise, 0}},
	},
	OpScan: {
		{unlimited, 64 << 10, always, Choice{Doubling, 0}},
		{16, unlimited, always, Choice{Chain, 64 << 10}},
		{unlimited, unlimited, always, Choice{Doubling, 0}},
	},
}

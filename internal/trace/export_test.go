package trace

var RecordIn = recordIn

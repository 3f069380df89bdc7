package table

import "slices"

// Rest is the kind of the arguments of any number and kind at the end.
const Rest = "..."

// Handles are the kinds of handles, with the C type.
var Handles = map[string]string{
	"comm": "MPI_Comm", "type": "MPI_Datatype", "op": "MPI_Op", "group": "MPI_Group", "request": "MPI_Request", "win": "MPI_Win",
	"file": "MPI_File", "info": "MPI_Info", "errhandler": "MPI_Errhandler", "message": "MPI_Message", "session": "MPI_Session",
}

// ToolHandles are those of MPI_T, which are pointers in every ABI.
var ToolHandles = map[string]string{
	"tenum": "MPI_T_enum", "cvar": "MPI_T_cvar_handle", "pvar": "MPI_T_pvar_handle", "tsession": "MPI_T_pvar_session",
	"registration": "MPI_T_event_registration", "instance": "MPI_T_event_instance",
}

// Callbacks are the functions that programs pass, with the C type. Those in LargeCallbacks have another one in _c functions.
var Callbacks = map[string]string{
	"fn.op": "MPI_User_function", "fn.comm_copy": "MPI_Comm_copy_attr_function", "fn.comm_delete": "MPI_Comm_delete_attr_function",
	"fn.type_copy": "MPI_Type_copy_attr_function", "fn.type_delete": "MPI_Type_delete_attr_function",
	"fn.win_copy": "MPI_Win_copy_attr_function", "fn.win_delete": "MPI_Win_delete_attr_function",
	"fn.comm_error": "MPI_Comm_errhandler_function", "fn.win_error": "MPI_Win_errhandler_function",
	"fn.file_error": "MPI_File_errhandler_function", "fn.session_error": "MPI_Session_errhandler_function",
	"fn.query": "MPI_Grequest_query_function", "fn.free": "MPI_Grequest_free_function", "fn.cancel": "MPI_Grequest_cancel_function",
	"fn.conversion": "MPI_Datarep_conversion_function", "fn.extent": "MPI_Datarep_extent_function",
	"fn.event": "MPI_T_event_cb_function", "fn.event_free": "MPI_T_event_free_cb_function",
	"fn.event_dropped": "MPI_T_event_dropped_cb_function",
}

// LargeCallbacks are the callbacks with counts.
var LargeCallbacks = []string{"fn.op", "fn.conversion"}

// Wide are the kinds of integers that are not int: the C type, and the one in _c functions.
var Wide = map[string][2]string{
	"count":        {"int", "MPI_Count"},         // of elements or bytes
	"displ":        {"int", "MPI_Aint"},          // a displacement in elements
	"unit":         {"int", "MPI_Aint"},          // the unit of displacements in a window
	"aint":         {"MPI_Aint", "MPI_Aint"},     // an address or a displacement in bytes
	"aintcount":    {"MPI_Aint", "MPI_Count"},    // a displacement or an extent in bytes
	"large":        {"MPI_Count", "MPI_Count"},   //
	"offset":       {"MPI_Offset", "MPI_Offset"}, // in a file
	"displacement": {"MPI_Offset", "MPI_Offset"}, // of a file's view, which may be MPI_DISPLACEMENT_CURRENT
	"safety":       {"MPI_T_cb_safety", "MPI_T_cb_safety"},
	"sourceorder":  {"MPI_T_source_order", "MPI_T_source_order"},
}

// others are the kinds that are pointers by nature.
var others = map[string]string{
	"in":          "const void *", // data to send, or one of the addresses that mean something else
	"out":         "void *",       // data to receive, likewise
	"pointer":     "void *",       // to what the program knows, or where to put such a pointer
	"constant":    "const void *", // the same, not written
	"string":      "const char *", // to a 0
	"strings":     "char **",      // to a NULL
	"stringlists": "char ***",     // one list for each command
	"text":        "char *",       // a text as result, with its room
	"chars":       "char *",       // a text as result, whose room another argument says
	"argv":        "char ***",     //
	"weights":     "const int *",  // of edges, or one of the addresses that mean something else
}

// CType is the C type of an argument in the header of an ABI, where an array is a pointer.
func (a Arg) CType(large bool) string {
	switch t := a.element(large); {
	case a.Kind == "weights" && a.Out, a.Kind == "range":
		return map[bool]string{true: "int *", false: "int (*)[3]"}[a.Kind == "weights"]
	case others[a.Kind] != "":
		return others[a.Kind]
	case Callbacks[a.Kind] != "":
		return t + " *"
	case a.Kind == "status" && !a.Out, a.Array && !a.Out:
		return "const " + t + " *"
	case a.Array, a.Out:
		return t + " *"
	default:
		return t
	}
}

// element is the C type of a value.
func (a Arg) element(large bool) string {
	i := 0
	if large {
		i = 1
	}
	if t, ok := Wide[a.Kind]; ok {
		return t[i]
	}
	if t, ok := Callbacks[a.Kind]; ok {
		if large && slices.Contains(LargeCallbacks, a.Kind) {
			t += "_c"
		}
		return t
	}
	for _, names := range []map[string]string{Handles, ToolHandles, {"status": "MPI_Status"}} {
		if t, ok := names[a.Kind]; ok {
			return t
		}
	}
	return "int"
}

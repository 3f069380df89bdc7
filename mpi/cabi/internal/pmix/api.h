/* What this package uses of PMIx (PMIx Standard 4.1; the same in OpenPMIx 3.1 to 6.1). Names are those of the standard. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PMIX_MAX_NSLEN 255
#define PMIX_MAX_KEYLEN 511

typedef int pmix_status_t;
typedef uint32_t pmix_rank_t;
typedef uint16_t pmix_data_type_t;
typedef uint8_t pmix_scope_t;
typedef char pmix_nspace_t[PMIX_MAX_NSLEN + 1];

enum {
	PMIX_SUCCESS = 0,
	PMIX_ERR_TYPE_MISMATCH = -18,
	PMIX_ERR_NOT_FOUND = -46,
	PMIX_ERR_LOST_CONNECTION = -61,
	PMIX_ERR_LOST_CONNECTION_TO_SERVER = -101, /* instead of the former, before version 4 */
};
enum { PMIX_BOOL = 1, PMIX_STRING = 3, PMIX_UINT32 = 14 };
enum { PMIX_GLOBAL = 3 };
#define PMIX_RANK_WILDCARD (UINT32_MAX - 1)
#define PMIX_COLLECT_DATA "pmix.collect"
#define PMIX_IMMEDIATE "pmix.immediate"
#define PMIX_JOB_SIZE "pmix.job.size"
#define PMIX_APPNUM "pmix.appnum"

typedef struct pmix_proc {
	pmix_nspace_t nspace;
	pmix_rank_t rank;
} pmix_proc_t;

typedef struct pmix_value {
	pmix_data_type_t type;
	union {
		bool flag;
		char *string;
		uint32_t uint32;
		struct {
			char *envar, *value;
			char separator;
		} envar; /* the largest */
	} data;
} pmix_value_t;

typedef struct pmix_info {
	char key[PMIX_MAX_KEYLEN + 1];
	uint32_t flags;
	pmix_value_t value;
} pmix_info_t;

typedef void (*pmix_op_cbfunc_t)(pmix_status_t status, void *data);
typedef void (*pmix_event_notification_cbfunc_fn_t)(pmix_status_t status, pmix_info_t *results, size_t nresults,
	pmix_op_cbfunc_t done, void *data, void *notification);
typedef void (*pmix_notification_fn_t)(size_t id, pmix_status_t status, const pmix_proc_t *source, pmix_info_t info[], size_t ninfo,
	pmix_info_t *results, size_t nresults, pmix_event_notification_cbfunc_fn_t done, void *data);
typedef void (*pmix_hdlr_reg_cbfunc_t)(pmix_status_t status, size_t id, void *data);

/* FUNCTION(result, name, parameters) of each function that is called. */
#define PMIX_FUNCTIONS(FUNCTION) \
	FUNCTION(pmix_status_t, PMIx_Init, (pmix_proc_t *proc, pmix_info_t info[], size_t ninfo)) \
	FUNCTION(pmix_status_t, PMIx_Finalize, (const pmix_info_t info[], size_t ninfo)) \
	FUNCTION(pmix_status_t, PMIx_Abort, (int status, const char message[], pmix_proc_t procs[], size_t nprocs)) \
	FUNCTION(pmix_status_t, PMIx_Put, (pmix_scope_t scope, const char key[], pmix_value_t *value)) \
	FUNCTION(pmix_status_t, PMIx_Commit, (void)) \
	FUNCTION(pmix_status_t, PMIx_Fence, (const pmix_proc_t procs[], size_t nprocs, const pmix_info_t info[], size_t ninfo)) \
	FUNCTION(pmix_status_t, PMIx_Get, (const pmix_proc_t *proc, const char key[], const pmix_info_t info[], size_t ninfo, pmix_value_t **value)) \
	FUNCTION(pmix_status_t, PMIx_Resolve_nodes, (const pmix_nspace_t nspace, char **nodes)) \
	FUNCTION(pmix_status_t, PMIx_Resolve_peers, (const char *node, const pmix_nspace_t nspace, pmix_proc_t **procs, size_t *nprocs)) \
	FUNCTION(pmix_status_t, PMIx_Register_event_handler, (pmix_status_t codes[], size_t ncodes, pmix_info_t info[], size_t ninfo, \
		pmix_notification_fn_t handler, pmix_hdlr_reg_cbfunc_t done, void *data)) \
	FUNCTION(const char *, PMIx_Error_string, (pmix_status_t status))

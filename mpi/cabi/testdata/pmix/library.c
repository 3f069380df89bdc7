/* A libpmix.so.2 whose server has one rank. FAIL names the function that fails; with FAIL=server the server is lost when all have met. */
#include "api.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENTRY(result, name, parameters) result name parameters;
PMIX_FUNCTIONS(ENTRY)

static pmix_notification_fn_t watcher;
static char values[8][2][1024]; /* keys and what they have */
static int puts_made, known;    /* how many there are, and how many a fence has made known */

static int fails(const char *function)
{
	const char *fail = getenv("FAIL");
	return fail != NULL && strcmp(fail, function) == 0;
}

pmix_status_t PMIx_Init(pmix_proc_t *proc, pmix_info_t info[], size_t ninfo)
{
	(void)info, (void)ninfo;
	strcpy(proc->nspace, "job");
	proc->rank = atoi(getenv("PMIX_RANK"));
	return fails("init") ? -25 : PMIX_SUCCESS;
}

pmix_status_t PMIx_Get(const pmix_proc_t *proc, const char key[], const pmix_info_t info[], size_t ninfo, pmix_value_t **value)
{
	if (strcmp(proc->nspace, "job") || ninfo != 1 || strcmp(info[0].key, PMIX_IMMEDIATE))
		return PMIX_ERR_NOT_FOUND;
	*value = calloc(1, sizeof **value);
	if (proc->rank == PMIX_RANK_WILDCARD && strcmp(key, PMIX_JOB_SIZE) == 0) {
		(*value)->type = fails("type") ? PMIX_STRING : PMIX_UINT32;
		(*value)->data.uint32 = 1;
		return fails("size") ? PMIX_ERR_NOT_FOUND : PMIX_SUCCESS;
	}
	if (proc->rank == 0 && strcmp(key, PMIX_APPNUM) == 0 && !fails("appnum")) {
		(*value)->type = PMIX_UINT32;
		(*value)->data.uint32 = 3;
		return PMIX_SUCCESS;
	}
	for (int i = 0; i < known; i++)
		if (proc->rank == 0 && strcmp(values[i][0], key) == 0) {
			(*value)->type = PMIX_STRING;
			(*value)->data.string = strdup(values[i][1]);
			return PMIX_SUCCESS;
		}
	return PMIX_ERR_NOT_FOUND;
}

pmix_status_t PMIx_Put(pmix_scope_t scope, const char key[], pmix_value_t *value)
{
	if (fails("put") || scope != PMIX_GLOBAL || value->type != PMIX_STRING)
		return -1;
	strcpy(values[puts_made][0], key);
	strcpy(values[puts_made++][1], value->data.string);
	return PMIX_SUCCESS;
}

pmix_status_t PMIx_Commit(void) { return PMIX_SUCCESS; }

pmix_status_t PMIx_Fence(const pmix_proc_t procs[], size_t nprocs, const pmix_info_t info[], size_t ninfo)
{
	if (fails("fence") || procs != NULL || nprocs != 0 || ninfo != 1 || strcmp(info[0].key, PMIX_COLLECT_DATA) || !info[0].value.data.flag)
		return -24;
	known = puts_made;
	if (fails("server"))
		watcher(1, PMIX_ERR_LOST_CONNECTION, NULL, NULL, 0, NULL, 0, NULL, NULL);
	return PMIX_SUCCESS;
}

pmix_status_t PMIx_Abort(int status, const char message[], pmix_proc_t procs[], size_t nprocs)
{
	if (procs == NULL && nprocs == 0)
		fprintf(stderr, "server: %d %s\n", status, message);
	return PMIX_SUCCESS;
}

pmix_status_t PMIx_Register_event_handler(pmix_status_t codes[], size_t ncodes, pmix_info_t info[], size_t ninfo,
	pmix_notification_fn_t handler, pmix_hdlr_reg_cbfunc_t done, void *data)
{
	(void)codes, (void)ncodes, (void)info, (void)ninfo, (void)done, (void)data;
	watcher = handler;
	return 1;
}

pmix_status_t PMIx_Resolve_nodes(const pmix_nspace_t nspace, char **nodes)
{
	(void)nspace, (void)nodes;
	return -47;
}

pmix_status_t PMIx_Resolve_peers(const char *node, const pmix_nspace_t nspace, pmix_proc_t **procs, size_t *nprocs)
{
	(void)node, (void)nspace, (void)procs, (void)nprocs;
	return -47;
}

pmix_status_t PMIx_Finalize(const pmix_info_t info[], size_t ninfo)
{
	(void)info, (void)ninfo;
	if (!fails("finalize"))
		return PMIX_SUCCESS;
	return -24;
}

const char *PMIx_Error_string(pmix_status_t status)
{
	switch (status) {
	case -1: return "ERROR";
	case -18: return "TYPE-MISMATCH";
	case -24: return "TIMEOUT";
	case -25: return "UNREACHABLE";
	case -46: return "NOT-FOUND";
	}
	return "?";
}

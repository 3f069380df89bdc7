// Package kubernetes checks the manifest of docs/kubernetes.md against the types of the Kubernetes API. It is a module of its own, as
// the library is not to depend on them.
package kubernetes

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// manifest reads job.yaml. A field that the API does not have is an error.
func manifest(t *testing.T) (service corev1.Service, job batchv1.Job) {
	text, err := os.ReadFile("job.yaml")
	require.NoError(t, err)
	documents := bytes.Split(text, []byte("\n---\n"))
	require.Len(t, documents, 2)
	require.NoError(t, yaml.UnmarshalStrict(documents[0], &service))
	require.NoError(t, yaml.UnmarshalStrict(documents[1], &job))
	require.Equal(t, "v1 Service", service.APIVersion+" "+service.Kind)
	require.Equal(t, "batch/v1 Job", job.APIVersion+" "+job.Kind)
	return service, job
}

// Each pod but the first has a name that the first one calls, and is there for as long as the job.
func TestPodsFindEachOther(t *testing.T) {
	service, job := manifest(t)
	pod := job.Spec.Template.Spec
	require.Equal(t, corev1.ClusterIPNone, service.Spec.ClusterIP)
	require.True(t, service.Spec.PublishNotReadyAddresses, "pods are looked up before they are ready")
	require.Equal(t, map[string]string{"job-name": job.Name}, service.Spec.Selector)
	require.Equal(t, service.Name, pod.Subdomain)
	require.Equal(t, batchv1.IndexedCompletion, *job.Spec.CompletionMode)
	require.Equal(t, *job.Spec.Completions, *job.Spec.Parallelism, "all pods run at a time")
	require.Zero(t, *job.Spec.BackoffLimit)
	require.Equal(t, corev1.RestartPolicyNever, pod.RestartPolicy)

	command := strings.Join(pod.Containers[0].Command, " ")
	hosts := []string{"localhost:2"}
	for i := int32(1); i < *job.Spec.Completions; i++ {
		hosts = append(hosts, fmt.Sprintf("%s-%d.%s:2", job.Name, i, service.Name))
	}
	require.Contains(t, command, fmt.Sprintf("--host %s -n %d ", strings.Join(hosts, ","), 2*len(hosts)))
}

// mpirun and serve have the same secret, which is where the pods have it.
func TestSecretIsMounted(t *testing.T) {
	_, job := manifest(t)
	pod := job.Spec.Template.Spec
	require.Equal(t, pod.Volumes[0].Name, pod.Containers[0].VolumeMounts[0].Name)
	require.NotEmpty(t, pod.Volumes[0].Secret.SecretName)
	files := regexp.MustCompile(`--secret ([^ "\n]+)`).FindAllStringSubmatch(strings.Join(pod.Containers[0].Command, " "), -1)
	require.Len(t, files, 2)
	for _, f := range files {
		require.Equal(t, pod.Containers[0].VolumeMounts[0].MountPath+"/secret", f[1])
	}
}

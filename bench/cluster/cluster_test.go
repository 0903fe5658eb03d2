package cluster

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"
)

// plan has words that a shell would take apart if it could, and a program that notes what it is called with. The program
// makes the results file, so that there is something to merge, and ends with the exit code of a wrong verdict.
func plan(t *testing.T) (p Plan, calls func() []string) {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "it's here")
	require.NoError(t, os.MkdirAll(folder, 0o755))
	log := filepath.Join(folder, "log")
	program := filepath.Join(folder, "horn beam")
	script := `#!/bin/sh
log=$(dirname "$0")/log
printf '%s|' "$@" >> "$log"
echo >> "$log"
[ "$2" = run ] || exit 0
for a; do results=$a; done
: > "$results"
: > "${results%.jsonl}.sessions"
exit 10
`
	require.NoError(t, os.WriteFile(program, []byte(script), 0o755))
	p = Plan{Arguments: []string{"a list", "--tool", "x=hornbeam --option 'y $z'", "--wall", "3"}, Shards: 3, Folder: folder, Hornbeam: program,
		Cores: 2, Memory: 4<<30 + 1, Time: 90 * time.Minute, AtOnce: 2, Image: "registry/hornbeam:1", Claim: "results", TasksClaim: "tasks", Tasks: "/tasks"}
	return p, func() []string {
		text, err := os.ReadFile(log)
		require.NoError(t, err)
		return strings.Split(strings.TrimSpace(string(text)), "\n")
	}
}

// wanted are the calls of all parts.
func wanted(p Plan) []string {
	var calls []string
	for part := range p.Shards {
		calls = append(calls, fmt.Sprintf("bench|run|a list|--tool|x=hornbeam --option 'y $z'|--wall|3|--quiet|--shard|%d/3|--results|%s/part-%d.jsonl|", part, p.Folder, part))
	}
	return calls
}

func shell(t *testing.T, script string, environment ...string) {
	t.Helper()
	cmd := exec.Command("/bin/sh", "-c", script)
	cmd.Env = append(os.Environ(), environment...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
}

func TestTheLocalRunnerMakesEveryPartOnceAndMerges(t *testing.T) {
	p, calls := plan(t)
	script, err := Write(Local, p)
	require.NoError(t, err)
	shell(t, script)
	merge := fmt.Sprintf("bench|merge|%s/results.jsonl|%[1]s/part-0.jsonl|%[1]s/part-1.jsonl|%[1]s/part-2.jsonl|", p.Folder)
	require.Equal(t, append(wanted(p), merge), calls())
}

func TestSlurmsArrayMakesEveryPartOnce(t *testing.T) {
	p, calls := plan(t)
	script, err := Write(Slurm, p)
	require.NoError(t, err)
	for _, line := range []string{"--array=0-2%2", "--cpus-per-task=2", "--mem=4097M", "--time=90"} {
		require.Contains(t, script, "\n#SBATCH "+line+"\n")
	}
	// Slurm runs the script once for each number of the array.
	for part := range p.Shards {
		shell(t, script, fmt.Sprintf("SLURM_ARRAY_TASK_ID=%d", part))
	}
	require.Equal(t, wanted(p), calls())
}

func TestKubernetesIndexedJobMakesEveryPartOnce(t *testing.T) {
	p, calls := plan(t)
	manifest, err := Write(Kubernetes, p)
	require.NoError(t, err)
	var job struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string `yaml:"kind"`
		Metadata   struct {
			Name string `yaml:"name"`
		} `yaml:"metadata"`
		Spec struct {
			CompletionMode string `yaml:"completionMode"`
			Completions    int    `yaml:"completions"`
			Parallelism    int    `yaml:"parallelism"`
			BackoffLimit   int    `yaml:"backoffLimitPerIndex"`
			Deadline       int    `yaml:"activeDeadlineSeconds"`
			Template       struct {
				Spec struct {
					RestartPolicy string `yaml:"restartPolicy"`
					Containers    []struct {
						Name      string   `yaml:"name"`
						Image     string   `yaml:"image"`
						Command   []string `yaml:"command"`
						Resources map[string]struct {
							CPU    int    `yaml:"cpu"`
							Memory string `yaml:"memory"`
						} `yaml:"resources"`
						Mounts []struct {
							Name      string `yaml:"name"`
							MountPath string `yaml:"mountPath"`
							ReadOnly  bool   `yaml:"readOnly"`
						} `yaml:"volumeMounts"`
					} `yaml:"containers"`
					Volumes []struct {
						Name  string `yaml:"name"`
						Claim struct {
							Name     string `yaml:"claimName"`
							ReadOnly bool   `yaml:"readOnly"`
						} `yaml:"persistentVolumeClaim"`
					} `yaml:"volumes"`
				} `yaml:"spec"`
			} `yaml:"template"`
		} `yaml:"spec"`
	}
	require.NoError(t, yaml.UnmarshalWithOptions([]byte(manifest), &job, yaml.Strict()))
	require.Equal(t, []string{"batch/v1", "Job", "Indexed"}, []string{job.APIVersion, job.Kind, job.Spec.CompletionMode})
	require.Equal(t, []int{3, 2, 2 * 90 * 60}, []int{job.Spec.Completions, job.Spec.Parallelism, job.Spec.Deadline}, "two rounds of at most 90 minutes")
	pod := job.Spec.Template.Spec
	require.Equal(t, "Never", pod.RestartPolicy)
	require.Len(t, pod.Containers, 1)
	c := pod.Containers[0]
	for _, kind := range []string{"requests", "limits"} {
		require.Equal(t, 2, c.Resources[kind].CPU)
		require.Equal(t, "4097Mi", c.Resources[kind].Memory)
	}
	require.Equal(t, p.Folder, c.Mounts[0].MountPath)
	require.Equal(t, "/tasks", c.Mounts[1].MountPath)
	require.True(t, c.Mounts[1].ReadOnly)
	require.Equal(t, []string{"results", "tasks"}, []string{pod.Volumes[0].Claim.Name, pod.Volumes[1].Claim.Name})
	// Kubernetes runs the command once for each index.
	require.Equal(t, []string{"/bin/sh", "-c"}, c.Command[:2])
	for part := range p.Shards {
		shell(t, c.Command[2], fmt.Sprintf("JOB_COMPLETION_INDEX=%d", part))
	}
	require.Equal(t, wanted(p), calls())
}

func TestAJobThatFailsFails(t *testing.T) {
	for _, kind := range []string{Local, Slurm} {
		p, _ := plan(t)
		require.NoError(t, os.WriteFile(p.Hornbeam, []byte("#!/bin/sh\nexit 5\n"), 0o755))
		script, err := Write(kind, p)
		require.NoError(t, err)
		cmd := exec.Command("/bin/sh", "-c", script)
		cmd.Env = append(os.Environ(), "SLURM_ARRAY_TASK_ID=0")
		require.Error(t, cmd.Run(), kind)
	}
}

func TestAPlanThatMakesNoSenseIsRefused(t *testing.T) {
	p, _ := plan(t)
	for want, change := range map[string]func(*Plan){
		"one part":           func(p *Plan) { p.Shards = 0 },
		"--shard of their":   func(p *Plan) { p.Arguments = append(p.Arguments, "--shard=1/2") },
		"--results of their": func(p *Plan) { p.Arguments = append(p.Arguments, "-results", "x") },
		"image":              func(p *Plan) { p.Image = "" },
	} {
		q := p
		change(&q)
		_, err := Write(Kubernetes, q)
		require.ErrorContains(t, err, want)
	}
	_, err := Write("grid", p)
	require.ErrorContains(t, err, `no kind is called "grid"`)
}

func TestAFolderWithASpaceIsOneWord(t *testing.T) {
	script, err := Write(Slurm, Plan{Arguments: []string{"x"}, Shards: 1, Folder: "/my out", Hornbeam: "hornbeam", Cores: 1, Time: time.Hour})
	require.NoError(t, err)
	require.Contains(t, script, "\n#SBATCH --output='/my out/part-%a.log'\n")
	require.Contains(t, script, "\n#   mkdir -p '/my out' && ")
}

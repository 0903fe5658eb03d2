// Package cluster writes the jobs that share a list of tasks among many machines: an array of jobs for Slurm, an indexed Job
// for Kubernetes, and a shell script that makes the same parts one after the other on this machine. Every part is one call of
// hornbeam bench run with --shard I/N and a results file of its own; hornbeam bench merge puts these together.
package cluster

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
)

// Plan describes a call of hornbeam bench run that is divided among machines.
type Plan struct {
	// Arguments are those of hornbeam bench run, without --shard and --results: lists of tasks, tools, limits.
	Arguments []string
	// Shards is the number of parts, at least 1.
	Shards int
	// Folder is where all parts write their results, as each machine sees it.
	Folder string
	// Hornbeam is the program, as each machine finds it.
	Hornbeam string
	// Cores and Memory, in bytes, are what each part asks the cluster for, Time is its time limit.
	Cores  int
	Memory int64
	Time   time.Duration
	// AtOnce is how many parts may run at once; 0 leaves that to the cluster.
	AtOnce int
	// Image is the container's image for Kubernetes, Claim the volume claim that is mounted at Folder, and TasksClaim, where
	// it is set, the one that is mounted, read-only, at Tasks.
	Image, Claim      string
	TasksClaim, Tasks string
}

// The kinds of jobs.
const (
	Slurm      = "slurm"
	Kubernetes = "kubernetes"
	Local      = "local"
)

// Write returns the job of the given kind.
func Write(kind string, p Plan) (string, error) {
	if p.Shards < 1 {
		return "", errors.New("write jobs: there has to be one part at least")
	}
	for _, a := range p.Arguments {
		name, _, _ := strings.Cut(strings.TrimLeft(a, "-"), "=")
		if strings.HasPrefix(a, "-") && slices.Contains([]string{"shard", "results"}, name) {
			return "", fmt.Errorf("write jobs: the parts have a --%s of their own", name)
		}
	}
	switch kind {
	case Slurm:
		return p.slurm(), nil
	case Kubernetes:
		if p.Image == "" || p.Claim == "" {
			return "", errors.New("write jobs: Kubernetes needs the container's image and a volume claim for the results")
		}
		return p.kubernetes(), nil
	case Local:
		return p.local(), nil
	}
	return "", fmt.Errorf("write jobs: no kind is called %q; there are slurm, kubernetes and local", kind)
}

// part is the shell command of the part whose number the shell's variable has. A wrong verdict is a result, not a failure.
func (p *Plan) part(variable string) string {
	words := []string{quote(p.Hornbeam), "bench", "run"}
	for _, a := range p.Arguments {
		words = append(words, quote(a))
	}
	words = append(words, "--quiet", "--shard", `"$`+variable+fmt.Sprintf(`/%d"`, p.Shards),
		"--results", quote(p.Folder)+`"/part-$`+variable+`.jsonl"`)
	return strings.Join(words, " ") + " || [ $? -eq 10 ]"
}

// merge is the shell command that puts the parts together.
func (p *Plan) merge() string {
	return fmt.Sprintf("%s bench merge %s %s/part-*.jsonl", quote(p.Hornbeam), quote(path.Join(p.Folder, "results.jsonl")), quote(p.Folder))
}

// quote makes a text one word of a shell.
func quote(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=,+@%", r)
	}
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool { return !plain(r) }) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

func (p *Plan) slurm() string {
	limit := ""
	if p.AtOnce > 0 {
		limit = fmt.Sprintf("%%%d", p.AtOnce)
	}
	return fmt.Sprintf(`#!/bin/sh
# Make the folder, which Slurm needs for the logs, and submit this file:
#   mkdir -p %s && sbatch THIS-FILE
# A part that failed can be submitted again by its number (--array=I), and goes on where it was. In the end:
#   %s
#SBATCH --job-name=hornbeam-bench
#SBATCH --array=0-%d%s
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=%d
#SBATCH --mem=%dM
#SBATCH --time=%d
#SBATCH --output=%s
set -eu
%s
`, quote(p.Folder), p.merge(), p.Shards-1, limit, p.Cores, p.megabytes(), int(p.Time.Minutes()+0.999), quote(p.Folder+"/part-%a.log"), p.part("SLURM_ARRAY_TASK_ID"))
}

func (p *Plan) local() string {
	return fmt.Sprintf(`#!/bin/sh
# Makes all parts on this machine, one after the other, and puts them together.
set -eu
part=0
while [ "$part" -lt %d ]; do
	%s
	part=$((part + 1))
done
rm -f %s %s
%s
`, p.Shards, p.part("part"), quote(path.Join(p.Folder, "results.jsonl")), quote(path.Join(p.Folder, "results.sessions")), p.merge())
}

func (p *Plan) megabytes() int64 { return (p.Memory + 1<<20 - 1) >> 20 }

func (p *Plan) kubernetes() string {
	atOnce := p.Shards
	if p.AtOnce > 0 {
		atOnce = p.AtOnce
	}
	mounts := fmt.Sprintf("            - {name: results, mountPath: %s}\n", text(p.Folder))
	volumes := fmt.Sprintf("        - {name: results, persistentVolumeClaim: {claimName: %s}}\n", text(p.Claim))
	if p.TasksClaim != "" {
		mounts += fmt.Sprintf("            - {name: tasks, mountPath: %s, readOnly: true}\n", text(p.Tasks))
		volumes += fmt.Sprintf("        - {name: tasks, persistentVolumeClaim: {claimName: %s, readOnly: true}}\n", text(p.TasksClaim))
	}
	return fmt.Sprintf(`# kubectl apply -f this file; a part that failed is started again, and goes on where it was. In the end, where the
# results can be seen:
#   %s
apiVersion: batch/v1
kind: Job
metadata:
  name: hornbeam-bench
spec:
  completionMode: Indexed
  completions: %d
  parallelism: %d
  backoffLimitPerIndex: 2
  activeDeadlineSeconds: %d
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: bench
          image: %s
          command: [/bin/sh, -c, %s]
          resources:
            requests: {cpu: %d, memory: %dMi}
            limits: {cpu: %d, memory: %dMi}
          volumeMounts:
%s      volumes:
%s`, p.merge(), p.Shards, atOnce, int64(p.Time.Seconds())*int64((p.Shards+atOnce-1)/atOnce), text(p.Image), text(p.part("JOB_COMPLETION_INDEX")),
		p.Cores, p.megabytes(), p.Cores, p.megabytes(), mounts, volumes)
}

// text makes a text one scalar of YAML.
func text(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

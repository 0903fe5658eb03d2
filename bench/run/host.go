package run

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"

	"hornbeam/bench/result"
)

// Host describes this machine; its name is left out unless it is asked for.
func Host(named bool) (result.Host, error) {
	h := result.Host{OS: runtime.GOOS, Arch: runtime.GOARCH, Cores: runtime.NumCPU()}
	if named {
		name, err := os.Hostname()
		if err != nil {
			return h, fmt.Errorf("the host's name: %w", err)
		}
		h.Name = name
	}
	if runtime.GOOS != "linux" {
		h.CPU = sysctl("machdep.cpu.brand_string")
		h.Memory, _ = strconv.ParseInt(sysctl("hw.memsize"), 10, 64)
		return h, nil
	}
	cpus, _ := os.ReadFile("/proc/cpuinfo")
	h.CPU = field(string(cpus), "model name")
	// The machine's, also where this process is bound to some of them.
	if n := processors(string(cpus)); n > 0 {
		h.Cores = n
	}
	memory, _ := os.ReadFile("/proc/meminfo")
	kib, _ := strconv.ParseInt(strings.TrimSuffix(field(string(memory), "MemTotal"), " kB"), 10, 64)
	h.Memory = kib << 10
	release, _ := os.ReadFile("/proc/sys/kernel/osrelease")
	if version, _, _ := strings.Cut(strings.TrimSpace(string(release)), "-"); version != "" {
		h.OS += " " + version
	}
	return h, nil
}

// processors counts the processors that /proc/cpuinfo lists.
func processors(text string) (n int) {
	for line := range strings.Lines(text) {
		if name, _, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "processor" {
			n++
		}
	}
	return n
}

// field is what stands behind the first "name :" of a text.
func field(text, name string) string {
	for line := range strings.Lines(text) {
		before, after, ok := strings.Cut(line, ":")
		if ok && strings.TrimSpace(before) == name {
			return strings.TrimSpace(after)
		}
	}
	return ""
}

func sysctl(name string) string {
	out, err := exec.Command("sysctl", "-n", name).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

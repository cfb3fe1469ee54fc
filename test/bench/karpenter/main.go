// Command karpenter-bench runs the scheduler of the published module sigs.k8s.io/karpenter on manifests and a catalog
// file, without a cluster and without AWS, so that it can be timed and its plans judged beside ours on the same input.
// It knows three ways to run; each writes JSON to stdout, one line an answer:
//
//	plan    one run: figures and plan
//	turns   a run for every line on stdin, so that another program can take its turns in between; the plan at the end
//	many    every line on stdin is a scenario {catalog, objects}; its plan, or why there is none
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/karpenter/pkg/operator/logging"
)

// Choices are what the command line settles.
type Choices struct {
	Threads           int
	IgnorePreferences bool
	Limit             time.Duration
	PlanOut           string
}

func main() {
	log.SetLogger(logging.NopLogger)
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "karpenter-bench:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("name a way to run: plan, turns or many")
	}
	var choices Choices
	var manifests []string
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	flags.Func("f", "manifest file (repeatable)", func(path string) error {
		manifests = append(manifests, path)
		return nil
	})
	catalogPath := flags.String("catalog", "", "catalog file")
	flags.IntVar(&choices.Threads, "threads", 5, "scheduling threads (Karpenter's own benchmark uses 5)")
	flags.BoolVar(&choices.IgnorePreferences, "ignore-preferences", false, "preference policy Ignore instead of Respect")
	flags.DurationVar(&choices.Limit, "limit", 20*time.Minute, "end a run that takes longer")
	flags.StringVar(&choices.PlanOut, "plan-out", "", "file for the last run's plan")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	if args[0] == "many" {
		return many(os.Stdin, os.Stdout, choices)
	}
	objects, err := readFiles(manifests)
	if err != nil {
		return err
	}
	catalog, err := readCatalogFile(*catalogPath)
	if err != nil {
		return err
	}
	cluster, err := newCluster(objects, catalog.instanceTypes(), choices)
	if err != nil {
		return err
	}
	switch args[0] {
	case "plan":
		return turns(cluster, strings.NewReader("\n"), os.Stdout, choices)
	case "turns":
		return turns(cluster, os.Stdin, os.Stdout, choices)
	}
	return fmt.Errorf("%q is none of plan, turns and many", args[0])
}

// Turn is what one run came to.
type Turn struct {
	// From Pod objects to the finished plan: topology and daemons counted, pods placed, types put in order.
	Seconds float64 `json:"seconds"`
	// The part of it that Karpenter's own benchmark times.
	SolveSeconds float64 `json:"solveSeconds"`
	// Of all threads, for all of it: what other work on the machine disturbs least.
	CPUSeconds float64 `json:"cpuSeconds"`
	TimedOut   bool    `json:"timedOut"`
	PeakRSSMiB float64 `json:"peakRssMiB"`
}

// turns runs once for every line that it reads, answers with a Turn, and writes the last plan when the input ends.
func turns(cluster *Cluster, in io.Reader, out io.Writer, choices Choices) error {
	answers := json.NewEncoder(out)
	if err := answers.Encode(map[string]any{"karpenter": version(), "pods": len(cluster.pending)}); err != nil {
		return err
	}
	var last *Plan
	for lines := bufio.NewScanner(in); lines.Scan(); {
		turn, plan, err := cluster.schedule()
		if err != nil {
			return err
		}
		last = plan
		if err := answers.Encode(turn); err != nil {
			return err
		}
	}
	if last == nil || choices.PlanOut == "" {
		return nil
	}
	file, err := os.Create(choices.PlanOut)
	if err != nil {
		return err
	}
	defer file.Close()
	return json.NewEncoder(file).Encode(last)
}

// Scenario is one line of `many`.
type Scenario struct {
	Catalog json.RawMessage   `json:"catalog"`
	Objects []json.RawMessage `json:"objects"`
}

func many(in io.Reader, out io.Writer, choices Choices) error {
	lines, answers := bufio.NewReaderSize(in, 1<<20), json.NewEncoder(out)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 1 {
			plan, failure := planScenario(line, choices)
			answer := map[string]any{"plan": plan}
			if failure != nil {
				answer = map[string]any{"error": failure.Error()}
			}
			if err := answers.Encode(answer); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func planScenario(line []byte, choices Choices) (plan *Plan, err error) {
	defer func() {
		if crash := recover(); crash != nil {
			err = fmt.Errorf("crashed: %v", crash)
		}
	}()
	var scenario Scenario
	if err := json.Unmarshal(line, &scenario); err != nil {
		return nil, err
	}
	catalog, err := readCatalog(scenario.Catalog)
	if err != nil {
		return nil, err
	}
	objects := &Objects{}
	for _, document := range scenario.Objects {
		if err := objects.add(document); err != nil {
			return nil, err
		}
	}
	cluster, err := newCluster(objects, catalog.instanceTypes(), choices)
	if err != nil {
		return nil, err
	}
	turn, plan, err := cluster.schedule()
	if err == nil && turn.TimedOut {
		err = fmt.Errorf("took longer than %s", choices.Limit)
	}
	return plan, err
}

// version of the module that was built in.
func version() string {
	if build, ok := debug.ReadBuildInfo(); ok {
		for _, module := range build.Deps {
			if module.Path == "sigs.k8s.io/karpenter" {
				return module.Version
			}
		}
	}
	return "unknown"
}

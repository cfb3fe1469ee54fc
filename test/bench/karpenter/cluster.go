package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/tools/record"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"
	"sigs.k8s.io/karpenter/pkg/controllers/state"
	"sigs.k8s.io/karpenter/pkg/events"
	"sigs.k8s.io/karpenter/pkg/operator/injection"
	"sigs.k8s.io/karpenter/pkg/operator/options"
	podutils "sigs.k8s.io/karpenter/pkg/utils/pod"
)

// age of nodes that don't say when they were made.
const age = 24 * time.Hour

// Cluster is Karpenter's provisioner over one input.
type Cluster struct {
	ctx         context.Context
	choices     Choices
	state       *state.Cluster
	provisioner *provisioning.Provisioner
	pending     []*corev1.Pod
	// Pods that the provisioner never hands to the scheduler, and why.
	ignored []Refusal
}

func newCluster(objects *Objects, its []*cloudprovider.InstanceType, choices Choices) (*Cluster, error) {
	c := &Cluster{ctx: settings(choices), choices: choices}
	pending, bound := completePods(append(objects.pods, objects.stamped()...))
	store, cloud, now := newMemory(), &shelf{its}, clock.RealClock{}
	if err := fill(c.ctx, store, objects, its, bound, now.Now()); err != nil {
		return nil, err
	}
	c.state = state.NewCluster(now, store, cloud)
	c.provisioner = provisioning.NewProvisioner(store, events.NewRecorder(&record.FakeRecorder{}), cloud, c.state, now, nil, nil)
	if err := c.observe(objects, bound); err != nil {
		return nil, err
	}
	for _, pod := range pending {
		if !podutils.IsProvisionable(pod) {
			continue
		}
		if err := c.provisioner.Validate(c.ctx, pod); err != nil {
			c.ignored = append(c.ignored, Refusal{keyOf(pod), err.Error()})
			continue
		}
		c.pending = append(c.pending, pod)
	}
	return c, nil
}

// settings are Karpenter's defaults but for the number of threads and the preference policy.
func settings(choices Choices) context.Context {
	policy := options.PreferencePolicyRespect
	if choices.IgnorePreferences {
		policy = options.PreferencePolicyIgnore
	}
	return options.ToContext(injection.WithControllerName(context.Background(), "provisioner"), &options.Options{
		BatchMaxDuration:  10 * time.Second,
		BatchIdleDuration: time.Second,
		CPURequests:       int64(1000 * choices.Threads),
		FeatureGates:      options.DefaultFeatureGates(),
		IgnoreDRARequests: true,
		MinValuesPolicy:   options.MinValuesPolicyStrict,
		PreferencePolicy:  policy,
	})
}

// fill completes the objects and puts them where Karpenter reads them. Pending pods stay out, as in its own benchmark: it
// looks for none there.
func fill(ctx context.Context, store *memory, objects *Objects, its []*cloudprovider.InstanceType, bound []*corev1.Pod, now time.Time) error {
	byName := map[string]*cloudprovider.InstanceType{}
	for _, it := range its {
		byName[it.Name] = it
	}
	pools := map[string]*karpv1.NodePool{}
	for _, pool := range objects.nodePools {
		completePool(pool)
		if err := pool.RuntimeValidate(ctx); err != nil {
			return fmt.Errorf("NodePool %s: %w", pool.Name, err)
		}
		pools[pool.Name] = pool
		store.add(pool)
	}
	claimed := map[string]bool{}
	for _, claim := range objects.nodeClaims {
		claimed[claim.Status.ProviderID] = true
	}
	for _, node := range objects.nodes {
		completeNode(node, byName, now.Add(-age))
		pool, managed := node.Labels[karpv1.NodePoolLabelKey]
		if managed && !claimed[node.Spec.ProviderID] {
			objects.nodeClaims = append(objects.nodeClaims, claimOf(node, pools[pool]))
		}
		store.add(node)
	}
	for _, claim := range objects.nodeClaims {
		store.add(claim)
	}
	for _, set := range objects.daemonSets {
		set.Namespace = namespaceOf(&set.ObjectMeta)
		store.add(set)
	}
	for _, object := range objects.others {
		switch object.GetObjectKind().GroupVersionKind().Kind {
		case "PersistentVolume", "Namespace", "StorageClass", "CSINode":
		default:
			if object.GetNamespace() == "" {
				object.SetNamespace("default")
			}
		}
		store.add(object)
	}
	for _, pod := range bound {
		store.add(pod)
	}
	return nil
}

// observe tells Karpenter's cluster state what its informers would have told it.
func (c *Cluster) observe(objects *Objects, bound []*corev1.Pod) error {
	for _, claim := range objects.nodeClaims {
		c.state.UpdateNodeClaim(claim)
	}
	for _, node := range objects.nodes {
		if err := c.state.UpdateNode(c.ctx, node); err != nil {
			return fmt.Errorf("node %s: %w", node.Name, err)
		}
	}
	for _, pod := range bound {
		if err := c.state.UpdatePod(c.ctx, pod); client.IgnoreNotFound(err) != nil {
			return fmt.Errorf("pod %s: %w", keyOf(pod), err)
		}
	}
	return nil
}

// schedule is one run with a scheduler of its own, as the provisioner makes one for every batch.
func (c *Cluster) schedule() (*Turn, *Plan, error) {
	nodes := c.state.DeepCopyNodes().Active()
	pods := make([]*corev1.Pod, 0, len(c.pending))
	for _, pod := range c.pending {
		pods = append(pods, pod.DeepCopy())
	}
	choices := []scheduling.Options{
		scheduling.DisableReservedCapacityFallback,
		scheduling.MinValuesPolicy(options.MinValuesPolicyStrict),
		scheduling.NumConcurrentReconciles(c.choices.Threads),
	}
	if c.choices.IgnorePreferences {
		choices = append(choices, scheduling.IgnorePreferences)
	}
	ctx, cancel := context.WithTimeout(c.ctx, c.choices.Limit)
	defer cancel()
	runtime.GC() // what was read before the clock starts is not to be cleared away while it runs

	start, cpu := time.Now(), cpuSeconds()
	scheduler, err := c.provisioner.NewScheduler(c.ctx, pods, nodes, sets.New[types.UID](), choices...)
	if errors.Is(err, provisioning.ErrNodePoolsNotFound) {
		return &Turn{Seconds: time.Since(start).Seconds()}, c.withoutPools(pods), nil
	}
	if err != nil {
		return nil, nil, err
	}
	solving := time.Now()
	results, err := scheduler.Solve(ctx, pods)
	solved := time.Since(solving)
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return nil, nil, err
	}
	results = results.TruncateInstanceTypes(c.ctx, scheduling.MaxInstanceTypes)
	turn := &Turn{
		Seconds: time.Since(start).Seconds(), SolveSeconds: solved.Seconds(), CPUSeconds: cpuSeconds() - cpu,
		TimedOut: err != nil, PeakRSSMiB: peakRSSMiB(),
	}
	return turn, c.plan(results, pods), nil
}

// cpuSeconds of all threads so far.
func cpuSeconds() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()).Seconds()
}

// peakRSSMiB is the most memory that this program ever held.
func peakRSSMiB() float64 {
	status, _ := os.ReadFile("/proc/self/status")
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	kib, _ := strconv.ParseFloat(strings.Fields(after + " 0")[0], 64)
	return kib / 1024
}

func keyOf(pod *corev1.Pod) string { return pod.Namespace + "/" + pod.Name }

package main

import (
	"fmt"
	"sort"

	corev1 "k8s.io/api/core/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"
)

// launchable is how many types the AWS provider takes of a claim: the cheapest ones.
const launchable = 60

// Plan has the fields of `timmerman plan -o json`, so that one judge reads both.
type Plan struct {
	NodeClaims    []Claim    `json:"nodeClaims"`
	ExistingNodes []Existing `json:"existingNodes"`
	Unschedulable []Refusal  `json:"unschedulable"`
	Ignored       []Refusal  `json:"ignored"`
}

// Claim is one planned node.
type Claim struct {
	Name          string                                        `json:"name"`
	NodePool      string                                        `json:"nodePool"`
	InstanceTypes []string                                      `json:"instanceTypes"`
	Cheapest      *Purchase                                     `json:"cheapest"`
	Requirements  []karpv1.NodeSelectorRequirementWithMinValues `json:"requirements"`
	Labels        map[string]string                             `json:"labels"`
	Taints        []corev1.Taint                                `json:"taints"`
	Requests      corev1.ResourceList                           `json:"requests"`
	Pods          []string                                      `json:"pods"`
}

// Purchase is the cheapest way to get a claim.
type Purchase struct {
	InstanceType string  `json:"instanceType"`
	Zone         string  `json:"zone"`
	CapacityType string  `json:"capacityType"`
	PricePerHour float64 `json:"pricePerHour"`
}

// Existing is a node that is there and gets pods.
type Existing struct {
	Node string   `json:"node"`
	Pods []string `json:"pods"`
}

// Refusal is a pod that gets no node.
type Refusal struct {
	Pod    string `json:"pod"`
	Reason string `json:"reason"`
}

func (c *Cluster) plan(results scheduling.Results, asked []*corev1.Pod) *Plan {
	plan := &Plan{NodeClaims: []Claim{}, ExistingNodes: []Existing{}, Unschedulable: []Refusal{}, Ignored: c.refused()}
	placed := map[string]bool{}
	keys := func(pods []*corev1.Pod) []string {
		all := []string{}
		for _, pod := range pods {
			placed[keyOf(pod)] = true
			all = append(all, keyOf(pod))
		}
		sort.Strings(all)
		return all
	}
	for i, planned := range results.NewNodeClaims {
		claim := planned.ToNodeClaim()
		pods := keys(planned.Pods)
		requirements := claim.Spec.Requirements
		sort.Slice(requirements, func(i, j int) bool { return requirements[i].Key < requirements[j].Key })
		shown := Claim{
			Name: fmt.Sprintf("%s-%d", planned.NodePoolName, i), NodePool: planned.NodePoolName, Cheapest: cheapest(planned), Requirements: requirements,
			Labels: claim.Labels, Taints: claim.Spec.Taints, Requests: claim.Spec.Resources.Requests, Pods: pods,
		}
		for _, it := range planned.InstanceTypeOptions.OrderByPrice(planned.Requirements) {
			if len(shown.InstanceTypes) < launchable {
				shown.InstanceTypes = append(shown.InstanceTypes, it.Name)
			}
		}
		plan.NodeClaims = append(plan.NodeClaims, shown)
	}
	for _, node := range results.ExistingNodes {
		if len(node.Pods) > 0 {
			plan.ExistingNodes = append(plan.ExistingNodes, Existing{node.Name(), keys(node.Pods)})
		}
	}
	reasons := map[string]string{}
	for pod, err := range results.PodErrors {
		reasons[keyOf(pod)] = err.Error()
	}
	for _, pod := range asked { // a run that was ended early has pods without a word
		if key := keyOf(pod); !placed[key] {
			plan.Unschedulable = append(plan.Unschedulable, Refusal{key, reasons[key]})
		}
	}
	return plan
}

func (c *Cluster) withoutPools(pods []*corev1.Pod) *Plan {
	plan := &Plan{NodeClaims: []Claim{}, ExistingNodes: []Existing{}, Unschedulable: []Refusal{}, Ignored: c.refused()}
	for _, pod := range pods {
		plan.Unschedulable = append(plan.Unschedulable, Refusal{keyOf(pod), "there is no NodePool"})
	}
	return plan
}

func (c *Cluster) refused() []Refusal { return append([]Refusal{}, c.ignored...) }

// cheapest looks at every open offering that the claim leaves.
func cheapest(claim *scheduling.NodeClaim) *Purchase {
	var best *Purchase
	for _, it := range claim.InstanceTypeOptions {
		open := it.Offerings.Available().Compatible(claim.Requirements)
		if len(open) == 0 {
			continue
		}
		least := cloudprovider.Offerings(open).Cheapest()
		if best == nil || least.Price < best.PricePerHour {
			best = &Purchase{it.Name, least.Zone(), least.CapacityType(), least.Price}
		}
	}
	return best
}

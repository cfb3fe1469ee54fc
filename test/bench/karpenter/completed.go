package main

import (
	"crypto/sha256"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
)

// Manifests leave out what the API server, kubelets and Karpenter's other controllers would have written by the time
// that its scheduler reads them.

// uidOf depends on the name alone, since Karpenter breaks ties by UID.
func uidOf(kind, name string) types.UID {
	sum := sha256.Sum256([]byte(kind + ":" + name))
	return types.UID(fmt.Sprintf("%x", sum[:16]))
}

// completePods splits pods into those that wait for a node and those that have one; the ones that are over are neither.
func completePods(pods []*corev1.Pod) (pending, bound []*corev1.Pod) {
	for _, pod := range pods {
		pod.Namespace = namespaceOf(&pod.ObjectMeta)
		if pod.UID == "" {
			pod.UID = uidOf("Pod", pod.Namespace+"/"+pod.Name)
		}
		for c := range pod.Spec.Containers {
			for p := range pod.Spec.Containers[c].Ports {
				if port := &pod.Spec.Containers[c].Ports[p]; port.Protocol == "" {
					port.Protocol = corev1.ProtocolTCP
				}
			}
		}
		if pod.Spec.NodeName != "" {
			if pod.Status.Phase == "" {
				pod.Status.Phase = corev1.PodRunning
			}
			bound = append(bound, pod)
			continue
		}
		if pod.Status.Phase == "" {
			pod.Status.Phase = corev1.PodPending
		}
		if pod.Status.Phase != corev1.PodPending {
			continue
		}
		refused := corev1.PodCondition{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable}
		if len(pod.Status.Conditions) == 0 {
			pod.Status.Conditions = []corev1.PodCondition{refused}
		}
		pending = append(pending, pod)
	}
	return pending, bound
}

func completePool(pool *karpv1.NodePool) {
	if pool.UID == "" {
		pool.UID = uidOf("NodePool", pool.Name)
	}
	if pool.Spec.Template.Spec.NodeClassRef == nil {
		pool.Spec.Template.Spec.NodeClassRef = &karpv1.NodeClassReference{Group: awsGroup, Kind: "EC2NodeClass", Name: "default"}
	}
	conditions := pool.StatusConditions()
	conditions.SetTrue(karpv1.ConditionTypeValidationSucceeded)
	conditions.SetTrue(karpv1.ConditionTypeNodeClassReady)
}

func completeNode(node *corev1.Node, byName map[string]*cloudprovider.InstanceType, before time.Time) {
	if node.UID == "" {
		node.UID = uidOf("Node", node.Name)
	}
	if node.Labels == nil {
		node.Labels = map[string]string{}
	}
	if node.Labels[corev1.LabelHostname] == "" {
		node.Labels[corev1.LabelHostname] = node.Name
	}
	if node.Spec.ProviderID == "" {
		node.Spec.ProviderID = "aws:///" + node.Labels[corev1.LabelTopologyZone] + "/" + node.Name
	}
	if node.CreationTimestamp.IsZero() {
		node.CreationTimestamp = metav1.NewTime(before)
	}
	if it := byName[node.Labels[corev1.LabelInstanceTypeStable]]; it != nil && len(node.Status.Allocatable) == 0 {
		node.Status.Capacity, node.Status.Allocatable = it.Capacity.DeepCopy(), it.Allocatable().DeepCopy()
	}
	if len(node.Status.Conditions) == 0 {
		node.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}
	}
}

// claimOf is the claim of a node that carries a pool's label and came without one: launched, registered, initialized.
func claimOf(node *corev1.Node, pool *karpv1.NodePool) *karpv1.NodeClaim {
	node.Labels[karpv1.NodeRegisteredLabelKey], node.Labels[karpv1.NodeInitializedLabelKey] = "true", "true"
	claim := &karpv1.NodeClaim{}
	if pool != nil {
		claim = pool.Spec.Template.ToNodeClaim()
	}
	claim.Name, claim.UID = node.Name, uidOf("NodeClaim", node.Name)
	claim.Labels, claim.CreationTimestamp = node.Labels, node.CreationTimestamp
	claim.Status.ProviderID, claim.Status.NodeName = node.Spec.ProviderID, node.Name
	claim.Status.Capacity, claim.Status.Allocatable = node.Status.Capacity, node.Status.Allocatable
	for _, condition := range []string{karpv1.ConditionTypeLaunched, karpv1.ConditionTypeRegistered, karpv1.ConditionTypeInitialized} {
		claim.StatusConditions().SetTrue(condition)
	}
	return claim
}

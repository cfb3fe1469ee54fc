package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/controller-runtime/pkg/client"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// Objects is what manifests hold, pods of workloads included, as far as Karpenter's scheduler looks at it.
type Objects struct {
	pods       []*corev1.Pod
	nodes      []*corev1.Node
	nodePools  []*karpv1.NodePool
	nodeClaims []*karpv1.NodeClaim
	daemonSets []*appsv1.DaemonSet
	// Kinds that are only looked up: claims, volumes, storage classes, CSI nodes, budgets, namespaces.
	others    []client.Object
	workloads []workload
}

// A workload stands for pods that its controller would make.
type workload struct {
	kind, name, namespace string
	count                 int32
	template              corev1.PodTemplateSpec
	claims                []corev1.PersistentVolumeClaim
}

func readFiles(paths []string) (*Objects, error) {
	objects := &Objects{}
	for _, path := range paths {
		file, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		decoder := yaml.NewYAMLOrJSONDecoder(file, 1<<20)
		for number := 1; ; number++ {
			var document json.RawMessage
			err := decoder.Decode(&document)
			if err == io.EOF {
				break
			}
			if err == nil && len(document) > 0 && string(document) != "null" {
				err = objects.add(document)
			}
			if err != nil {
				return nil, fmt.Errorf("%s: document %d: %w", path, number, err)
			}
		}
		file.Close()
	}
	return objects, nil
}

func decoded[T any](document []byte) (*T, error) {
	object := new(T)
	return object, json.Unmarshal(document, object)
}

func collect[T any](list *[]*T, document []byte) error {
	object, err := decoded[T](document)
	*list = append(*list, object)
	return err
}

func keep[T any, P interface {
	*T
	client.Object
}](objects *Objects, document []byte) error {
	object, err := decoded[T](document)
	objects.others = append(objects.others, P(object))
	return err
}

// add takes one document, or every item of a list. Kinds that the scheduler never reads are left out.
func (o *Objects) add(document []byte) error {
	var head struct {
		Kind  string            `json:"kind"`
		Items []json.RawMessage `json:"items"`
	}
	if err := json.Unmarshal(document, &head); err != nil {
		return err
	}
	switch head.Kind {
	case "Pod":
		return collect(&o.pods, document)
	case "Node":
		return collect(&o.nodes, document)
	case "NodePool":
		return collect(&o.nodePools, document)
	case "NodeClaim":
		return collect(&o.nodeClaims, document)
	case "DaemonSet":
		return collect(&o.daemonSets, document)
	case "PersistentVolumeClaim":
		return keep[corev1.PersistentVolumeClaim](o, document)
	case "PersistentVolume":
		return keep[corev1.PersistentVolume](o, document)
	case "Namespace":
		return keep[corev1.Namespace](o, document)
	case "StorageClass":
		return keep[storagev1.StorageClass](o, document)
	case "CSINode":
		return keep[storagev1.CSINode](o, document)
	case "PodDisruptionBudget":
		return keep[policyv1.PodDisruptionBudget](o, document)
	case "Deployment", "ReplicaSet", "StatefulSet", "Job":
		return o.addWorkload(head.Kind, document)
	}
	if strings.HasSuffix(head.Kind, "List") {
		for _, item := range head.Items {
			if err := o.add(item); err != nil {
				return err
			}
		}
	}
	return nil
}

func (o *Objects) addWorkload(kind string, document []byte) error {
	// The fields that matter have one place in all four kinds; a Job counts its pods under another name.
	var shape struct {
		metav1.ObjectMeta `json:"metadata"`
		Spec              struct {
			Replicas             *int32                         `json:"replicas"`
			Parallelism          *int32                         `json:"parallelism"`
			Template             corev1.PodTemplateSpec         `json:"template"`
			VolumeClaimTemplates []corev1.PersistentVolumeClaim `json:"volumeClaimTemplates"`
		} `json:"spec"`
	}
	if err := json.Unmarshal(document, &shape); err != nil {
		return err
	}
	count := int32(1)
	for _, given := range []*int32{shape.Spec.Replicas, shape.Spec.Parallelism} {
		if given != nil {
			count = *given
		}
	}
	o.workloads = append(o.workloads, workload{
		kind: kind, name: shape.Name, namespace: namespaceOf(&shape.ObjectMeta), count: count,
		template: shape.Spec.Template, claims: shape.Spec.VolumeClaimTemplates,
	})
	return nil
}

// stamped makes the pods of every workload that owns none of the pods given.
func (o *Objects) stamped() []*corev1.Pod {
	taken := map[string]bool{}
	for _, pod := range o.pods {
		for _, owner := range pod.OwnerReferences {
			taken[owner.Kind+" "+namespaceOf(&pod.ObjectMeta)+"/"+owner.Name] = true
			if at := strings.LastIndex(owner.Name, "-"); at > 0 && owner.Kind == "ReplicaSet" {
				taken["Deployment "+namespaceOf(&pod.ObjectMeta)+"/"+owner.Name[:at]] = true
			}
		}
	}
	var pods []*corev1.Pod
	for _, w := range o.workloads {
		if taken[w.kind+" "+w.namespace+"/"+w.name] {
			continue
		}
		for i := int32(0); i < w.count; i++ {
			template := w.template.DeepCopy()
			pod := &corev1.Pod{ObjectMeta: template.ObjectMeta, Spec: template.Spec}
			pod.Name, pod.Namespace = fmt.Sprintf("%s-%d", w.name, i), w.namespace
			controls := true
			pod.OwnerReferences = []metav1.OwnerReference{{Kind: w.kind, Name: w.name, UID: uidOf(w.kind, w.name), Controller: &controls}}
			for _, claim := range w.claims {
				own := claim.DeepCopy()
				own.Name, own.Namespace = claim.Name+"-"+pod.Name, pod.Namespace
				o.others = append(o.others, own)
				source := &corev1.PersistentVolumeClaimVolumeSource{ClaimName: own.Name}
				pod.Spec.Volumes = append(pod.Spec.Volumes,
					corev1.Volume{Name: claim.Name, VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: source}})
			}
			pods = append(pods, pod)
		}
	}
	return pods
}

func namespaceOf(meta *metav1.ObjectMeta) string {
	if meta.Namespace == "" {
		return metav1.NamespaceDefault
	}
	return meta.Namespace
}

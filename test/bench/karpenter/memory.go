package main

import (
	"context"
	"fmt"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// memory answers Get and List from memory, as the informers' cache of a running Karpenter does: copies, and pods by node
// without looking at the others. Whatever else a client can do is not to be had: its methods come from a nil interface,
// so that a call to one of them would end the program and be seen.
type memory struct {
	client.Client
	byType map[reflect.Type][]client.Object
	byName map[reflect.Type]map[client.ObjectKey]client.Object
	onNode map[string][]client.Object
}

func newMemory() *memory {
	return &memory{
		byType: map[reflect.Type][]client.Object{},
		byName: map[reflect.Type]map[client.ObjectKey]client.Object{},
		onNode: map[string][]client.Object{},
	}
}

func (m *memory) add(object client.Object) {
	kind := reflect.TypeOf(object).Elem()
	if m.byName[kind] == nil {
		m.byName[kind] = map[client.ObjectKey]client.Object{}
	}
	m.byType[kind] = append(m.byType[kind], object)
	m.byName[kind][client.ObjectKeyFromObject(object)] = object
	if pod, ok := object.(*corev1.Pod); ok {
		m.onNode[pod.Spec.NodeName] = append(m.onNode[pod.Spec.NodeName], pod)
	}
}

// Get implements client.Reader.
func (m *memory) Get(_ context.Context, key client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	kind := reflect.TypeOf(into).Elem()
	found, ok := m.byName[kind][key]
	if !ok {
		return errors.NewNotFound(schema.GroupResource{Resource: kind.Name()}, key.String())
	}
	reflect.ValueOf(into).Elem().Set(reflect.ValueOf(found.DeepCopyObject()).Elem())
	return nil
}

// List implements client.Reader. Of field selectors it knows a pod's node.
func (m *memory) List(_ context.Context, into client.ObjectList, options ...client.ListOption) error {
	asked := (&client.ListOptions{}).ApplyOptions(options)
	items := reflect.ValueOf(into).Elem().FieldByName("Items")
	candidates := m.byType[items.Type().Elem()]
	if asked.FieldSelector != nil && !asked.FieldSelector.Empty() {
		node, ok := asked.FieldSelector.RequiresExactMatch("spec.nodeName")
		if _, pods := into.(*corev1.PodList); !ok || !pods {
			return fmt.Errorf("no list of %s by %s here", items.Type().Elem(), asked.FieldSelector)
		}
		candidates = m.onNode[node]
	}
	for _, object := range candidates {
		if asked.Namespace != "" && object.GetNamespace() != asked.Namespace {
			continue
		}
		if asked.LabelSelector != nil && !asked.LabelSelector.Matches(labels.Set(object.GetLabels())) {
			continue
		}
		if asked.UnsafeDisableDeepCopy == nil || !*asked.UnsafeDisableDeepCopy {
			object = object.DeepCopyObject().(client.Object)
		}
		items.Set(reflect.Append(items, reflect.ValueOf(object).Elem()))
	}
	return nil
}

package main

import (
	"context"
	"fmt"

	"github.com/awslabs/operatorpkg/status"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
)

// shelf is a cloud that has instance types to show and sells none.
type shelf struct{ types []*cloudprovider.InstanceType }

func nothingIsSold() error { return fmt.Errorf("nothing is launched here") }

func (s *shelf) Create(context.Context, *karpv1.NodeClaim) (*karpv1.NodeClaim, error) {
	return nil, nothingIsSold()
}
func (s *shelf) Delete(context.Context, *karpv1.NodeClaim) error { return nothingIsSold() }
func (s *shelf) Get(context.Context, string) (*karpv1.NodeClaim, error) {
	return nil, nothingIsSold()
}
func (s *shelf) List(context.Context) ([]*karpv1.NodeClaim, error) { return nil, nil }
func (s *shelf) GetInstanceTypes(context.Context, *karpv1.NodePool) ([]*cloudprovider.InstanceType, error) {
	return s.types, nil
}
func (s *shelf) IsDrifted(context.Context, *karpv1.NodeClaim) (cloudprovider.DriftReason, error) {
	return "", nil
}
func (s *shelf) RepairPolicies() []cloudprovider.RepairPolicy { return nil }
func (s *shelf) Name() string                                 { return "shelf" }
func (s *shelf) GetSupportedNodeClasses() []status.Object     { return []status.Object{&nodeClass{}} }

// nodeClass is an EC2NodeClass as far as Karpenter's core asks: a kind that pools may refer to.
type nodeClass struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

func (n *nodeClass) DeepCopyObject() runtime.Object     { copied := *n; return &copied }
func (n *nodeClass) GetConditions() []status.Condition  { return nil }
func (n *nodeClass) SetConditions(_ []status.Condition) {}
func (n *nodeClass) StatusConditions(o ...status.ForOption) status.ConditionSet {
	return status.NewReadyConditions().For(n, o...)
}

func init() {
	kind := schema.GroupVersionKind{Group: awsGroup, Version: "v1", Kind: "EC2NodeClass"}
	scheme.Scheme.AddKnownTypeWithName(kind, &nodeClass{})
}

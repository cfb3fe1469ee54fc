package main

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
)

// The AWS provider's words, which Karpenter's core learns at start: labels that a pool or a pod may ask for though no
// pool defines them, and resources that are counted on nodes.
const (
	awsGroup = "karpenter.k8s.aws"

	reservationID            = awsGroup + "/capacity-reservation-id"
	reservationType          = awsGroup + "/capacity-reservation-type"
	reservationInterruptible = awsGroup + "/capacity-reservation-interruptible"
	tenancy                  = awsGroup + "/instance-tenancy"
	zoneID                   = "topology.k8s.aws/zone-id"
)

// Every instance type has these.
var certain = []string{"cpu", "memory", "hypervisor", "encryption-in-transit-supported", "tenancy"}

// A type without such a thing has no such label, which must be said.
var optional = []string{
	"category", "family", "generation", "size", "cpu-manufacturer", "cpu-sustained-clock-speed-mhz", "ebs-bandwidth",
	"network-bandwidth", "local-nvme", "capability-flex", "gpu-name", "gpu-manufacturer", "gpu-count", "gpu-memory",
	"accelerator-name", "accelerator-manufacturer", "accelerator-count",
}

func instanceLabel(of string) string {
	if of == "capability-flex" {
		return awsGroup + "/instance-capability-flex"
	}
	return awsGroup + "/instance-" + of
}

// optionalKeys are full keys that a type lacks unless it says otherwise.
var optionalKeys = func() []string {
	keys := []string{reservationID, reservationType, reservationInterruptible, corev1.LabelWindowsBuild}
	for _, of := range optional {
		keys = append(keys, instanceLabel(of))
	}
	return keys
}()

func init() {
	karpv1.RestrictedLabelDomains.Insert(awsGroup)
	karpv1.WellKnownLabels.Insert(optionalKeys...)
	karpv1.WellKnownLabels.Insert(zoneID, awsGroup+"/placement-group-id", awsGroup+"/placement-group-partition")
	for _, of := range certain {
		karpv1.WellKnownLabels.Insert(instanceLabel(of))
	}
	karpv1.WellKnownValuesForRequirements[tenancy] = sets.New("default", "dedicated")
	for _, resource := range []corev1.ResourceName{"vpc.amazonaws.com/pod-eni", "vpc.amazonaws.com/efa", "habana.ai/gaudi", "aws.amazon.com/neuron", "aws.amazon.com/neuroncore"} {
		karpv1.WellKnownResources.Insert(resource)
	}
	cloudprovider.ReservationIDLabel = reservationID
	cloudprovider.ReservedCapacityLabels.Insert(reservationID, reservationType, reservationInterruptible)
}

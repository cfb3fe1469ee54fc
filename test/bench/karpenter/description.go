package main

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
)

type size struct{ SizeInMiB int64 }

// Description is what EC2's DescribeInstanceTypes says of a type, as far as a node shows it.
type Description struct {
	InstanceType                 string
	Hypervisor                   string
	SupportedUsageClasses        []string
	SupportedVirtualizationTypes []string
	ProcessorInfo                struct {
		Manufacturer             string
		SupportedArchitectures   []string
		SustainedClockSpeedInGhz float64
	}
	VCpuInfo            struct{ DefaultVCpus int64 }
	MemoryInfo          size
	InstanceStorageInfo struct {
		NvmeSupport   string
		TotalSizeInGB int64
	}
	EbsInfo struct {
		EbsOptimizedSupport string
		EbsOptimizedInfo    struct{ MaximumBandwidthInMbps int64 }
	}
	NetworkInfo struct {
		DefaultNetworkCardIndex      int
		Ipv4AddressesPerInterface    int64
		MaximumNetworkInterfaces     int64
		EncryptionInTransitSupported bool
		EfaInfo                      struct{ MaximumEfaInterfaces int64 }
		NetworkCards                 []struct {
			NetworkCardIndex         int
			MaximumNetworkInterfaces int64
			BaselineBandwidthInGbps  float64
		}
	}
	GpuInfo struct {
		Gpus []struct {
			Name, Manufacturer string
			Count              int64
			MemoryInfo         size
		}
	}
	InferenceAcceleratorInfo struct {
		Accelerators []struct {
			Name, Manufacturer string
			Count              int64
		}
	}
	NeuronInfo struct {
		NeuronDevices []struct {
			Name     string
			Count    int64
			CoreInfo struct{ Count int64 }
		}
	}
}

var architectures = map[string]string{"x86_64": "amd64", "arm64": "arm64"}

// architecture in Kubernetes' words; empty for one that it has no images for.
func (d *Description) architecture() string {
	for _, name := range d.ProcessorInfo.SupportedArchitectures {
		if known := architectures[name]; known != "" {
			return known
		}
	}
	return ""
}

var nameParts = regexp.MustCompile(`^([a-z]+)(?:-\d+tb)?(\d+)`)

// labels of a node of this type, apart from where it stands and how it was bought.
func (d *Description) labels() map[string][]string {
	family, typeSize, _ := strings.Cut(d.InstanceType, ".")
	labels := map[string][]string{
		corev1.LabelInstanceTypeStable: {d.InstanceType},
		corev1.LabelArchStable:         {d.architecture()},
		corev1.LabelOSStable:           {string(corev1.Linux)},
	}
	text := func(of, value string) { labels[instanceLabel(of)] = []string{value} }
	number := func(of string, value int64) { text(of, strconv.FormatInt(value, 10)) }
	some := func(of string, value int64) {
		if value > 0 {
			number(of, value)
		}
	}
	number("cpu", d.VCpuInfo.DefaultVCpus)
	number("memory", d.MemoryInfo.SizeInMiB)
	text("hypervisor", d.Hypervisor)
	text("encryption-in-transit-supported", strconv.FormatBool(d.NetworkInfo.EncryptionInTransitSupported))
	text("family", family)
	text("size", typeSize)
	text("capability-flex", strconv.FormatBool(strings.Contains(family, "-flex")))
	if parts := nameParts.FindStringSubmatch(family); parts != nil {
		text("category", parts[1])
		text("generation", parts[2])
	}
	text("cpu-manufacturer", spoken(d.ProcessorInfo.Manufacturer))
	number("cpu-sustained-clock-speed-mhz", int64(math.Round(1000*d.ProcessorInfo.SustainedClockSpeedInGhz)))
	if d.InstanceStorageInfo.NvmeSupport != "unsupported" {
		some("local-nvme", d.InstanceStorageInfo.TotalSizeInGB)
	}
	if d.EbsInfo.EbsOptimizedSupport == "default" {
		some("ebs-bandwidth", d.EbsInfo.EbsOptimizedInfo.MaximumBandwidthInMbps)
	}
	var gbps float64
	for _, card := range d.NetworkInfo.NetworkCards {
		gbps += card.BaselineBandwidthInGbps
	}
	some("network-bandwidth", int64(math.Round(1000*gbps)))
	if gpus := d.GpuInfo.Gpus; len(gpus) == 1 {
		text("gpu-name", spoken(gpus[0].Name))
		text("gpu-manufacturer", spoken(gpus[0].Manufacturer))
		number("gpu-count", gpus[0].Count)
		number("gpu-memory", gpus[0].MemoryInfo.SizeInMiB)
	}
	if devices := d.NeuronInfo.NeuronDevices; len(devices) == 1 {
		text("accelerator-name", spoken(devices[0].Name))
		text("accelerator-manufacturer", "aws")
		number("accelerator-count", devices[0].Count)
	} else if others := d.InferenceAcceleratorInfo.Accelerators; len(others) == 1 && len(devices) == 0 {
		text("accelerator-name", spoken(others[0].Name))
		text("accelerator-manufacturer", spoken(others[0].Manufacturer))
		number("accelerator-count", others[0].Count)
	}
	return labels
}

func spoken(name string) string { return strings.ToLower(strings.ReplaceAll(name, " ", "-")) }

const (
	mib  = int64(1) << 20
	gib  = int64(1) << 30
	disk = 20 * gib
)

// podLimit is how many addresses the VPC CNI has for pods, and two that need none.
func (d *Description) podLimit() int64 {
	network := &d.NetworkInfo
	interfaces := network.MaximumNetworkInterfaces
	for _, card := range network.NetworkCards {
		if card.NetworkCardIndex == network.DefaultNetworkCardIndex {
			interfaces = card.MaximumNetworkInterfaces
		}
	}
	return interfaces*(network.Ipv4AddressesPerInterface-1) + 2
}

// capacity of a node of this type under AL2023 with a root volume of 20 GiB.
func (d *Description) capacity() corev1.ResourceList {
	memory := d.MemoryInfo.SizeInMiB
	if d.architecture() == "arm64" {
		memory -= 64
	}
	memory -= int64(math.Ceil(0.075 * float64(memory)))
	amounts := corev1.ResourceList{
		corev1.ResourceCPU:              *resource.NewQuantity(d.VCpuInfo.DefaultVCpus, resource.DecimalSI),
		corev1.ResourceMemory:           *resource.NewQuantity(memory*mib, resource.BinarySI),
		corev1.ResourceEphemeralStorage: *resource.NewQuantity(disk, resource.BinarySI),
		corev1.ResourcePods:             *resource.NewQuantity(d.podLimit(), resource.DecimalSI),
		"vpc.amazonaws.com/efa":         *resource.NewQuantity(d.NetworkInfo.EfaInfo.MaximumEfaInterfaces, resource.DecimalSI),
	}
	count := func(name corev1.ResourceName, more int64) {
		total := amounts[name]
		total.Add(*resource.NewQuantity(more, resource.DecimalSI))
		amounts[name] = total
	}
	makers := map[string]corev1.ResourceName{"NVIDIA": "nvidia.com/gpu", "AMD": "amd.com/gpu", "Habana": "habana.ai/gaudi"}
	for _, name := range makers {
		count(name, 0)
	}
	for _, gpu := range d.GpuInfo.Gpus {
		if name := makers[gpu.Manufacturer]; name != "" {
			count(name, gpu.Count)
		}
	}
	count("aws.amazon.com/neuron", 0)
	count("aws.amazon.com/neuroncore", 0)
	for _, device := range d.NeuronInfo.NeuronDevices {
		count("aws.amazon.com/neuron", device.Count)
		count("aws.amazon.com/neuroncore", device.Count*device.CoreInfo.Count)
	}
	return amounts
}

// overhead is what kubelet keeps, and what it evicts pods for.
func (d *Description) overhead() *cloudprovider.InstanceTypeOverhead {
	var milli int64
	for _, band := range []struct{ from, to, thousandths float64 }{{0, 1, 60}, {1, 2, 10}, {2, 4, 5}, {4, math.Inf(1), 2.5}} {
		cores := float64(d.VCpuInfo.DefaultVCpus)
		milli += int64(max(0, min(cores, band.to)-band.from) * band.thousandths)
	}
	return &cloudprovider.InstanceTypeOverhead{
		SystemReserved: corev1.ResourceList{},
		KubeReserved: corev1.ResourceList{
			corev1.ResourceCPU:              *resource.NewMilliQuantity(milli, resource.DecimalSI),
			corev1.ResourceMemory:           *resource.NewQuantity((11*d.podLimit()+255)*mib, resource.BinarySI),
			corev1.ResourceEphemeralStorage: *resource.NewQuantity(gib, resource.BinarySI),
		},
		EvictionThreshold: corev1.ResourceList{
			corev1.ResourceMemory:           *resource.NewQuantity(100*mib, resource.BinarySI),
			corev1.ResourceEphemeralStorage: *resource.NewQuantity(disk/10, resource.BinarySI),
		},
	}
}

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"

	corev1 "k8s.io/api/core/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/scheduling"
)

// Catalog is the file that `timmerman plan --catalog` reads. Prices are in USD an hour.
type Catalog struct {
	Region        string                        `json:"region"`
	Zones         []Zone                        `json:"zones"`
	InstanceTypes []Description                 `json:"instanceTypes"`
	Offerings     map[string][]string           `json:"offerings"`
	OnDemand      map[string]float64            `json:"onDemand"`
	Spot          map[string]map[string]float64 `json:"spot"`
	Unavailable   []Place                       `json:"unavailable"`
	Reserved      []Reservation                 `json:"reserved"`
}

// Zone by both of its names.
type Zone struct {
	Name string `json:"name"`
	ID   string `json:"id"`
}

// Place and way to get a type.
type Place struct {
	InstanceType string `json:"instanceType"`
	Zone         string `json:"zone"`
	CapacityType string `json:"capacityType"`
}

// Reservation of so many instances.
type Reservation struct {
	ID           string `json:"id"`
	InstanceType string `json:"instanceType"`
	Zone         string `json:"zone"`
	Count        int    `json:"count"`
}

func readCatalogFile(path string) (*Catalog, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	catalog, err := readCatalog(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return catalog, nil
}

func readCatalog(text []byte) (*Catalog, error) {
	catalog := &Catalog{}
	return catalog, json.Unmarshal(text, catalog)
}

// instanceTypes in the order of their names, without those that no AL2023 image boots on.
func (c *Catalog) instanceTypes() []*cloudprovider.InstanceType {
	var its []*cloudprovider.InstanceType
	for _, description := range c.InstanceTypes {
		if description.architecture() != "" && slices.Contains(description.SupportedVirtualizationTypes, "hvm") {
			its = append(its, c.instanceType(description))
		}
	}
	slices.SortFunc(its, func(a, b *cloudprovider.InstanceType) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	return its
}

func (c *Catalog) instanceType(d Description) *cloudprovider.InstanceType {
	zones, ok := c.Offerings[d.InstanceType]
	if !ok {
		for _, zone := range c.Zones {
			zones = append(zones, zone.Name)
		}
	}
	offerings := c.offeringsOf(d, zones)
	values := d.labels()
	values[corev1.LabelTopologyRegion] = []string{c.Region}
	values[corev1.LabelTopologyZone] = zones
	values[tenancy] = []string{"default", "dedicated"}
	values[karpv1.CapacityTypeLabelKey] = nil
	for _, name := range zones {
		if id := c.idOf(name); id != "" {
			values[zoneID] = append(values[zoneID], id)
		}
	}
	for _, offering := range offerings {
		if ways := values[karpv1.CapacityTypeLabelKey]; !slices.Contains(ways, offering.CapacityType()) {
			values[karpv1.CapacityTypeLabelKey] = append(ways, offering.CapacityType())
		}
		if offering.CapacityType() == karpv1.CapacityTypeReserved {
			values[reservationID] = append(values[reservationID], offering.ReservationID())
			values[reservationType], values[reservationInterruptible] = []string{"default"}, []string{"false"}
		}
	}
	requirements := scheduling.NewRequirements()
	for key, of := range values {
		requirements.Add(scheduling.NewRequirement(key, corev1.NodeSelectorOpIn, of...))
	}
	for _, key := range optionalKeys {
		if _, has := values[key]; !has {
			requirements.Add(scheduling.NewRequirement(key, corev1.NodeSelectorOpDoesNotExist))
		}
	}
	return &cloudprovider.InstanceType{
		Name: d.InstanceType, Requirements: requirements, Offerings: offerings, Capacity: d.capacity(), Overhead: d.overhead(),
	}
}

func (c *Catalog) idOf(zone string) string {
	for _, z := range c.Zones {
		if z.Name == zone {
			return z.ID
		}
	}
	return ""
}

func (c *Catalog) offeringsOf(d Description, zones []string) cloudprovider.Offerings {
	var offerings cloudprovider.Offerings
	offer := func(capacityType, zone string, price float64, reservation *Reservation) {
		requirements := scheduling.NewLabelRequirements(map[string]string{karpv1.CapacityTypeLabelKey: capacityType, corev1.LabelTopologyZone: zone})
		if id := c.idOf(zone); id != "" {
			requirements.Add(scheduling.NewRequirement(zoneID, corev1.NodeSelectorOpIn, id))
		}
		refused := slices.Contains(c.Unavailable, Place{d.InstanceType, zone, capacityType})
		offering := &cloudprovider.Offering{Requirements: requirements, Price: price, Available: !refused}
		if reservation == nil {
			for _, key := range []string{reservationID, reservationType, reservationInterruptible} {
				requirements.Add(scheduling.NewRequirement(key, corev1.NodeSelectorOpDoesNotExist))
			}
		} else {
			requirements.Add(scheduling.NewLabelRequirements(map[string]string{
				reservationID: reservation.ID, reservationType: "default", reservationInterruptible: "false"}).Values()...)
			offering.ReservationCapacity = reservation.Count
			offering.Available = offering.Available && reservation.Count > 0
		}
		offerings = append(offerings, offering)
	}
	price, sold := c.OnDemand[d.InstanceType]
	for _, zone := range zones {
		if sold && slices.Contains(d.SupportedUsageClasses, "on-demand") {
			offer(karpv1.CapacityTypeOnDemand, zone, price, nil)
		}
		if spot, ok := c.Spot[d.InstanceType][zone]; ok && slices.Contains(d.SupportedUsageClasses, "spot") {
			offer(karpv1.CapacityTypeSpot, zone, spot, nil)
		}
	}
	for _, reservation := range c.Reserved {
		if reservation.InstanceType == d.InstanceType {
			// Paid for already; a ten-millionth of the price still orders them.
			offer(karpv1.CapacityTypeReserved, reservation.Zone, price/1e7, &reservation)
		}
	}
	return offerings
}

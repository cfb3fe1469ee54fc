import { boolean, list, object, oneOf, string, withDefault } from "../schema/build.ts";
import { accountId, matchCriteria, reservationId } from "./ec2-node-class-selectors.ts";
import { condition } from "./parts.ts";

const amiRequirement = object("", {
  required: {
    key: string("Label that the requirement is about."),
    operator: string("How the label's value relates to `values`."),
  },
  optional: { values: list("The values that the operator takes.", string(""), { "x-kubernetes-list-type": "atomic" }) },
});

const ami = object("", {
  required: {
    id: string("Id of the image."),
    requirements: list("Which instance types it runs on.", amiRequirement),
  },
  optional: { deprecated: boolean("Whether its owner advises against it."), name: string("Name of the image.") },
});

const capacityReservation = object("", {
  required: {
    availabilityZone: string("Zone of the reserved capacity."),
    id: reservationId("Id of the reservation."),
    instanceMatchCriteria: matchCriteria(),
    instanceType: string("Type of the reserved instances."),
    ownerID: accountId("Account that owns the reservation."),
  },
  defaulted: {
    reservationType: withDefault(oneOf("Kind of the reservation.", ["default", "capacity-block"]), "default"),
    state: withDefault(oneOf("Whether it is in use or about to end.", ["active", "expiring"]), "active"),
  },
  optional: {
    endTime: string("When the reservation ends; left out, it has no end.", { format: "date-time" }),
    interruptible: boolean("Whether instances in it may be taken away again."),
  },
});

/** What the selectors of an EC2NodeClass were resolved to. */
export const ec2NodeClassStatus = object("What was found for the selectors.", {
  optional: {
    amis: list("Images that are in use, the best first.", ami),
    capacityReservations: list("Capacity reservations that may be used.", capacityReservation),
    conditions: list("Whether everything was found that is needed, and if not, what is missing.", condition),
    instanceProfile: string("Instance profile that instances get."),
    securityGroups: list(
      "Security groups that instances get.",
      object("", {
        required: { id: string("Id of the security group.") },
        optional: { name: string("Name of the security group.") },
      }),
    ),
    subnets: list(
      "Subnets that instances may start in.",
      object("", {
        required: { id: string("Id of the subnet."), zone: string("Zone of the subnet.") },
        optional: { zoneID: string("Id of the zone, the same for every account.") },
      }),
    ),
  },
});

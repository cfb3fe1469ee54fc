import { integer, list, map, object, oneOf, rule, string } from "../schema/build.ts";

const tags = map("Tags that it must have; `*` as a value stands for any value.", string(""), {
  maxProperties: 20,
  rules: [
    rule(
      "self.all(k, k != '' && self[k] != '')",
      "tags has an empty key or value; use * for any value, or remove the tag",
    ),
  ],
});

const families = ["al2", "al2023", "bottlerocket", "windows2019", "windows2022", "windows2025"];
const windows = families.filter((family) => family.startsWith("windows"));
const cel = (values: string[]) => `[${values.map((value) => `'${value}'`).join(",")}]`;

/** Says that each term of a list must have one of some fields. */
const oneOfFields = (field: string, names: string[]) =>
  rule(
    `self.all(x, ${names.map((name) => `has(x.${name})`).join(" || ")})`,
    `${field} has a term that selects by nothing; give it ${names.slice(0, -1).join(", ")} or ${names.at(-1)}`,
  );

const amiTerm = object("", {
  optional: {
    alias: string(
      "A published family of images and its version, as family@version; family@latest follows the newest.",
      {
        maxLength: 30,
        rules: [
          rule(
            "self.matches('^[a-zA-Z0-9]+@.+$')",
            "alias is not of the form family@version; write for instance al2023@latest",
          ),
          rule(`self.split('@')[0] in ${cel(families)}`, `alias names an unknown family; use ${families.join(", ")}`),
          rule(
            `self.split('@')[0] in ${cel(windows)} ? self.split('@')[1] == 'latest' : true`,
            "alias of a Windows family has a version; only latest can be had",
          ),
        ],
      },
    ),
    id: string("Id of the image.", { pattern: "ami-[0-9a-z]+" }),
    name: string("Name of the image; it may be the same in several accounts, so give `owner` too."),
    owner: string("Account that owns the image, as its number, or self or amazon."),
    ssmParameter: string("SSM parameter that holds the image's id."),
    tags,
  },
});

const alone = (field: string, others: string[]) =>
  `!self.exists(x, has(x.${field}) && (${others.map((name) => `has(x.${name})`).join(" || ")}))`;

export const amiSelectorTerms = list(
  "Which images nodes start from: those that any of the terms selects. The newest fitting one is used.",
  amiTerm,
  {
    minItems: 1,
    maxItems: 30,
    rules: [
      oneOfFields("amiSelectorTerms", ["tags", "id", "name", "alias", "ssmParameter"]),
      rule(
        alone("id", ["alias", "tags", "name", "owner"]),
        "amiSelectorTerms has a term with id and something else; an id says it all, remove alias, tags, name and owner",
      ),
      rule(
        alone("alias", ["id", "tags", "name", "owner"]),
        "amiSelectorTerms has a term with alias and something else; an alias says it all, remove id, tags, name and owner",
      ),
      rule(
        "!(self.exists(x, has(x.alias)) && self.size() != 1)",
        "amiSelectorTerms has a term with alias beside other terms; an alias must be the only term",
      ),
    ],
  },
);

const notEmpty = (field: string) => rule("self.size() != 0", `${field} is empty; give at least one term`);

/** The rule holds unless all terms break it: that is how far Karpenter's schema goes, and the verdicts are the same. */
const notAll = (field: string, others: string[]) =>
  others.length === 1
    ? `!self.all(x, has(x.${field}) && has(x.${others[0]}))`
    : `!self.all(x, has(x.${field}) && (${others.map((name) => `has(x.${name})`).join(" || ")}))`;

export const subnetSelectorTerms = list(
  "Which subnets nodes start in: those that any of the terms selects.",
  object("", { optional: { id: string("Id of the subnet.", { pattern: "subnet-[0-9a-z]+" }), tags } }),
  {
    maxItems: 30,
    rules: [
      notEmpty("subnetSelectorTerms"),
      oneOfFields("subnetSelectorTerms", ["tags", "id"]),
      rule(notAll("id", ["tags"]), "subnetSelectorTerms has a term with id and tags; an id says it all, remove tags"),
    ],
  },
);

export const securityGroupSelectorTerms = list(
  "Which security groups nodes have: those that any of the terms selects.",
  object("", {
    optional: {
      id: string("Id of the security group.", { pattern: "sg-[0-9a-z]+" }),
      name: string("Name of the security group (its group name, not its Name tag)."),
      tags,
    },
  }),
  {
    maxItems: 30,
    rules: [
      notEmpty("securityGroupSelectorTerms"),
      oneOfFields("securityGroupSelectorTerms", ["tags", "id", "name"]),
      rule(
        notAll("id", ["tags", "name"]),
        "securityGroupSelectorTerms has a term with id and something else; an id says it all, remove tags and name",
      ),
      rule(
        notAll("name", ["tags", "id"]),
        "securityGroupSelectorTerms has a term with name and something else; a name says it all, remove tags and id",
      ),
    ],
  },
);

export const reservationId = (description: string) => string(description, { pattern: "^cr-[0-9a-z]+$" });
export const accountId = (description: string) => string(description, { pattern: "^[0-9]{12}$" });
export const matchCriteria = () =>
  oneOf("Whether instances use the reservation by being alike (open) or only by naming it (targeted).", [
    "open",
    "targeted",
  ]);

export const capacityReservationSelectorTerms = list(
  "Which capacity reservations may be used: those that any of the terms selects.",
  object("", {
    optional: {
      id: reservationId("Id of the reservation."),
      instanceMatchCriteria: matchCriteria(),
      ownerID: accountId("Account that owns the reservation."),
      tags,
    },
  }),
  {
    maxItems: 30,
    rules: [
      oneOfFields("capacityReservationSelectorTerms", ["tags", "id", "instanceMatchCriteria"]),
      rule(
        notAll("id", ["tags", "ownerID", "instanceMatchCriteria"]),
        "capacityReservationSelectorTerms has a term with id and something else; an id says it all, remove tags, ownerID and instanceMatchCriteria",
      ),
    ],
  },
);

export const placementGroupSelector = object(
  "The placement group that instances start in.",
  {
    optional: {
      id: string("Id of the placement group.", { pattern: "^pg-[0-9a-z]+$" }),
      name: string("Name of the placement group.", { minLength: 1 }),
    },
  },
  {
    rules: [
      rule("has(self.name) || has(self.id)", "placementGroupSelector selects by nothing; give it name or id"),
      rule("!(has(self.name) && has(self.id))", "placementGroupSelector has both name and id; remove one of them"),
    ],
  },
);

const connectionSeconds = (description: string, minimum: number, maximum: number) =>
  integer(description, { format: "int32", minimum, maximum });

export const connectionTracking = object(
  "How long idle connections are remembered by the security groups, in seconds.",
  {
    optional: {
      tcpEstablishedTimeout: connectionSeconds("For established TCP connections.", 60, 432000),
      udpStreamTimeout: connectionSeconds("For UDP flows with more than one request and answer.", 60, 180),
      udpTimeout: connectionSeconds("For UDP flows with traffic one way, or one request and answer.", 30, 60),
    },
  },
  {
    rules: [
      rule(
        "has(self.tcpEstablishedTimeout) || has(self.udpStreamTimeout) || has(self.udpTimeout)",
        "connectionTracking is empty; set tcpEstablishedTimeout, udpStreamTimeout or udpTimeout, or remove it",
      ),
    ],
  },
);

const networkInterface = object("", {
  required: {
    deviceIndex: integer("Which of the card's interfaces it is; 0 on card 0 is the primary one.", {
      format: "int32",
      minimum: 0,
    }),
    interfaceType: oneOf("An ordinary interface, or one for EFA traffic alone.", ["interface", "efa-only"]),
    networkCardIndex: integer("Which network card it is on.", { format: "int32", minimum: 0 }),
  },
});

export const networkInterfaces = list("The network interfaces that instances start with.", networkInterface, {
  maxItems: 150,
  rules: [
    rule(
      "self.size() == 0 || self.exists(x, x.deviceIndex == 0 && x.networkCardIndex == 0 && x.interfaceType == 'interface')",
      "networkInterfaces has no primary interface; add one with deviceIndex 0, networkCardIndex 0 and interfaceType interface",
    ),
    rule(
      "self.all(x, self.filter(y, x.networkCardIndex == y.networkCardIndex && x.deviceIndex == y.deviceIndex).size() == 1 && (x.interfaceType != 'efa-only' || self.filter(y, x.networkCardIndex == y.networkCardIndex && y.interfaceType == 'efa-only').size() == 1))",
      "networkInterfaces has the same deviceIndex twice on a card, or two efa-only interfaces on a card; number them apart",
    ),
  ],
});

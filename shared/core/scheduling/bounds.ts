// The solver's own bounds and preferences, each with its reason. Work is bounded in steps, never in seconds, so that a
// recorded snapshot gives the same plan on any computer.

/**
 * A new claim keeps at least this many instance types that EC2 may launch, wherever the pool allows it: spot allocation
 * and refusals need choice (Karpenter's figure for spot-to-spot). It caps the size of nodes, as few types are very large.
 */
export const minLaunchableTypes = 15;

/**
 * To reach `minLaunchableTypes` a node may be filled only up to this share of the type it is planned for, in per mille.
 * Types of one size differ by a few percent in memory, because kubelet reserves by pod slots.
 */
export const flexibilityFillPerMille = 960;

/**
 * What that choice may cost at most, in per mille of the plan without it: where only few types suit the pods well (GPUs),
 * nodes are filled to the brim instead.
 */
export const flexibilityPricePerMille = 1_050;

/**
 * What a node costs beyond its price, in micro-USD an hour. On-demand prices are linear in size, so without it the same
 * bill is spread over far too many nodes; well under the price of the smallest node it only breaks ties.
 */
export const nodeFeeMicroUsd = 8_000;
/** The fee never exceeds this share of the cheapest candidate's price, in per mille. */
export const nodeFeePerMille = 100;

/** Passes of value correction for each start; the gain of a ninth is below the noise. */
export const correctionPasses = 6;
/** The same for a plan of merged classes, which is only a draft, and for the pods that it leaves over. */
export const coarsePasses = 4;
export const leftoverPasses = 2;

/** Rounds of looking for patterns that are better than the best mixture of all seen so far, by its values. */
export const mixtureRounds = 2;

/** Ruin-and-recreate rounds while the plan is above `goodEnoughPerMille` of the lower bound. */
export const ruinRounds = 24;
export const goodEnoughPerMille = 1_012;

/** Packings of one pool whose limits get in the way, each with the types that still fit; the rest goes pod by pod. */
export const limitRounds = 6;

/**
 * Work for one packing: looks at a class for a place on a node. Some 30 ns each. No new pass or round begins beyond it;
 * the first pass always runs to its end, whatever it takes.
 */
export const maxPackingSteps = 12_000_000;

/** Steps that one new state of a node's requirements counts for: its labels and its types are worked out. */
export const stepsPerState = 1_000;

/** Work for all packings of a plan together: with many pools each gets less, and in the end its first pass only. */
export const maxPlanSteps = 36_000_000;

/**
 * Classes that are considered for one node, where there are more: spread evenly over all that are left. Of so many there
 * is always a mixture that fills the node well.
 */
export const maxClassesPerNode = 320;

/**
 * Plans that are made anew because a zone or the like had less room than was thought; after these, pods that were promised
 * room in vain are given none, which ends it.
 */
export const maxReplans = 8;

/** Of what a pool's limits leave, in per mille, how much of the pods' requests is planned for it at once. */
export const limitDemandPerMille = 2_000;

/** Of a family of like rules, in tenths, how many a node may have owners of: the others leave a choice at the end. */
export const familyShare = 5;
/** A family has at least so many rules, and merging leaves at most this many of ten classes: else it gains too little. */
export const leastFamily = 3;
export const mostMergedShare = 7;
/** Zones count as costing the same where at least this many of ten candidates do. */
export const samePriceShare = 8;

/** Pairs of new nodes that are looked at for whether one could take the other's pods, in one merging, and those worked out. */
export const maxMergeLooks = 20_000;
export const maxMergeTrials = 1_000;
/** New nodes of a plan, up to which several at once are tried on one: packing has done that for plans of many. */
export const maxGathered = 50;

/** Plans that are made anew because pods were left out, and for how many pods at most: such plans are small as a rule. */
export const maxRetries = 2;
export const maxRetriedPods = 1_000;

/** Pods that may go to any zone go to one, so as to share nodes, until it has had so many; then to the next. */
export const podsPerTurn = 8;

/** A plan without regard to flexibility is drawn up only where a quick look at both makes it cheaper by this, in per mille. */
export const worthALookPerMille = 1_030;

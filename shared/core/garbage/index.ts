// What is left over: instances without a claim, claims without an instance or node. Answers to Karpenter's garbage
// collection controllers. It differs by suspicion: nothing is killed on missing knowledge, on a first look, or in numbers
// that smell of a lost table.
export { findOrphans, type Knowledge, type Orphans, suspectTag } from "./find-orphans.ts";

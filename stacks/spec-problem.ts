// What is wrong with a line of stacks/clusters.ts, as data: SST's run makes one error of all of them, `timmerman check` a list.

export interface SpecProblem {
  /** `deployment`, `cluster blue`, `entry 2` (of the list, where there is no name), or what else is meant. */
  readonly where: string;
  /** As it is written in the file; empty where the whole of `where` is meant. */
  readonly field: string;
  readonly problem: string;
  readonly fix: string;
}

/** One line: `cluster blue: region is "Ireland": write the cluster's region`. */
export function problemText({ where, field, problem, fix }: SpecProblem): string {
  return `${where}${field === "" ? "" : `: ${field}`} ${problem}: ${fix}`.replaceAll(/\p{Cc}+/gu, " ");
}

/** A value as it might have been written. What JSON has no words for (circles, big integers) is named by its kind. */
export function quote(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return typeof value === "bigint" ? `${value}n` : "an object that is no plain data";
  }
}

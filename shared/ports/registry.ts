/** A cluster that the deployment serves, as its stacks registered it. */
export interface Registration {
  readonly name: string;
  readonly region: string;
  /** JSON: the fields of one entry of the configuration's list of clusters. */
  readonly document: string;
}

/** Which clusters are served. Failures are OperationErrors. */
export interface Registry {
  find(name: string): Promise<Registration | undefined>;
  /** By name. */
  list(): Promise<readonly Registration[]>;
}

// What a case of the suite is: requests in order, each with the answer that every API server must give.

export interface Step {
  /** "GET /api/v1/namespaces/{ns}/pods": {ns} is the case's own namespace, other braces hold what an earlier step kept. */
  send: string;
  body?: unknown;
  /** Content type of the body; JSON unless said otherwise. A body that is a string is sent as it is. */
  type?: string;
  accept?: string;
  /** "" sends no token. */
  token?: string;
  agent?: string;
  status: number;
  /** Status.reason of a failure. */
  reason?: string;
  /** Part of the answer: objects may have more fields, lists have exactly these items. */
  shape?: unknown;
  /** Paths ("metadata.uid") that the answer must not have. */
  absent?: readonly string[];
  /** Part of the text of the answer. */
  text?: string | RegExp;
  header?: readonly [name: string, pattern: RegExp];
  /** Keeps values of the answer for later steps: { uid: "metadata.uid" }. */
  keep?: Record<string, string>;
  /** The answer may take a while (controllers): repeated for ten seconds until it fits. */
  eventually?: true;
  /** A watch: the events that come, in order. */
  events?: readonly unknown[];
  /** Of a watch: what is done while it is open, before the events are awaited. */
  during?: readonly Step[];
}

export interface Case {
  title: string;
  /** Controllers that have to run beside the server: garbage collection, namespaces. */
  needs?: "controllers";
  steps: readonly Step[];
}

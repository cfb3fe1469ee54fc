export type TaintEffect = "NoSchedule" | "PreferNoSchedule" | "NoExecute";

export interface Taint {
  readonly key: string;
  readonly value: string;
  readonly effect: TaintEffect;
}

/** An absent `key` with operator `Exists` tolerates everything; an absent `effect` matches every effect. */
export interface Toleration {
  readonly key?: string;
  readonly operator: "Equal" | "Exists" | "Lt" | "Gt";
  readonly value?: string;
  readonly effect?: TaintEffect;
  readonly tolerationSeconds?: number;
}

/**
 * What an attempt at a plan taught: that it rested on something which is not so. The next attempt heeds it. There are only
 * so many rooms and domains to learn about, so that attempts come to an end.
 */
export interface Lessons {
  /** The most pods of a cohort at a stage that a combination of pins takes. */
  readonly rooms: Map<string, number>;
  /** By group of a spread: domains that no node has yet and no pool would make for its pods, but the plan for others. */
  readonly domains: Map<number, Set<string>>;
}

export function noLessons(): Lessons {
  return { rooms: new Map(), domains: new Map() };
}

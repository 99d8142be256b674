/** From the second `at` on, these fields of a record have these values. */
export interface Step<Resource> {
  readonly at: number;
  readonly set: Partial<Resource>;
}

/** A record's whole life: how it is made, and what happens to it, oldest step first. */
export interface Life<Resource> {
  readonly resource: Resource;
  readonly timeline: readonly Step<Resource>[];
}

/** How many steps of a life lie behind a moment. */
export const countStepsUntil = ({ timeline }: Life<unknown>, now: number): number => {
  const ahead = timeline.findIndex(({ at }) => at > now);
  return ahead === -1 ? timeline.length : ahead;
};

/** A record as it stands after so many steps of its life: a new object, unless there was no step. */
export const afterSteps = <Resource extends object>(
  { resource, timeline }: Life<Resource>,
  steps: number,
): Resource =>
  steps === 0 ? resource : Object.assign({}, resource, ...timeline.slice(0, steps).map(({ set }) => set));

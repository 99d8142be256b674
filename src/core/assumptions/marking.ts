import {
  type Assume,
  type Assumption,
  type AssumptionChoices,
  type AssumptionId,
  assumptions,
  type ChoiceOf,
} from './table.ts';

/** An assumption, with its value in one world. */
export interface AssumptionInUse extends Assumption {
  /** Its id, such as `'unknown-cursor'`. */
  readonly id: AssumptionId;
  /** The value that it has in this world: one of `choices`. */
  readonly value: string;
  /** The number of replies of this world that were marked with it. */
  readonly used: number;
}

const ids = Object.keys(assumptions) as AssumptionId[]; // the registry is a literal, so it has no other keys

/** How many replies depended on assumptions. */
export type AssumptionUses = readonly (readonly [id: AssumptionId, count: number])[];

/** Collects the assumptions that one reply depends on. */
export interface Marking {
  readonly assume: Assume;
  readonly mark: (id: AssumptionId) => void;
  /** Grows with each mark, also for those who have read it before. */
  readonly marks: readonly AssumptionId[];
}

/** The API keys that a scenario lists as valid. */
interface Keys {
  readonly valid?: readonly string[] | undefined;
}

/** The value of an assumption where nothing is chosen. A scenario that lists API keys accepts no others. */
const defaultOf = (id: AssumptionId, keys: Keys): string =>
  id === 'api-keys' && keys.valid !== undefined ? 'listed' : assumptions[id].choices[0][0];

/** The choices that differ from the defaults, in the order of the table: worlds with the same choices behave the same. */
export const withoutDefaults = (choices: AssumptionChoices, keys: Keys): AssumptionChoices =>
  Object.fromEntries(
    ids.flatMap((id) => {
      const choice = choices[id];
      return choice === undefined || choice === defaultOf(id, keys) ? [] : [[id, choice]];
    }),
  );

/** Creates the assumptions of one world. @param initialChoices the scenario's schema has checked them */
export const createAssumptions = (initialChoices: AssumptionChoices, keys: Keys = {}) => {
  let choices = initialChoices;
  const choiceOf = (id: AssumptionId): string => choices[id] ?? defaultOf(id, keys);
  const used = new Map<AssumptionId, number>();

  return {
    /** The values that the scenario or a command chose. */
    chosen: () => choices,

    /** Restores the values that `chosen` returned. */
    restore: (former: AssumptionChoices): void => {
      choices = former;
    },

    /** How many replies depended on each assumption. Another process continues these counts by `continueUses`. */
    used: (): AssumptionUses => [...used],
    continueUses: (uses: AssumptionUses): void => {
      for (const [id, count] of uses) used.set(id, count);
    },

    /** The value of an assumption, without marking a reply. */
    choiceOf: choiceOf as <Id extends AssumptionId>(id: Id) => ChoiceOf<Id>, // one of the values of that id

    /** Changes the value of an assumption; the id and the value must exist. */
    choose: (id: string, choice: string): void => {
      choices = withoutDefaults({ ...choices, [id]: choice }, keys);
    },

    /** All assumptions, with their values here and how many replies depended on them. */
    list: (): AssumptionInUse[] =>
      ids.map((id) => ({
        id,
        ...structuredClone(assumptions[id]),
        value: choiceOf(id),
        used: used.get(id) ?? 0,
      })),

    /**
     * Returns `assume` and `mark` for a reply. `assume` returns a value and marks the reply, unless the assumption is standing. `mark` marks it in
     * any case, for errors that a standing assumption causes.
     */
    forAnswer(): Marking {
      const marks: AssumptionId[] = [];
      const mark = (id: AssumptionId): void => {
        if (marks.includes(id)) return;
        marks.push(id);
        used.set(id, (used.get(id) ?? 0) + 1);
      };
      const assume = (id: AssumptionId) => {
        if (!isStanding(id)) mark(id);
        return choiceOf(id);
      };
      // The type is true: for each id, it returns a value of that assumption.
      return { assume: assume as Assume, mark, marks };
    },
  };
};

export type Assumptions = ReturnType<typeof createAssumptions>;

const isStanding = (id: AssumptionId): boolean => 'standing' in assumptions[id];

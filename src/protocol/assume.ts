import {
  type Assume,
  type Assumption,
  type AssumptionChoices,
  type AssumptionId,
  assumptions,
} from './assumptions.ts';

/** One assumption as it stands in a world. */
export interface AssumptionInUse extends Assumption {
  readonly id: AssumptionId;
  readonly value: string;
  /** How many answers of this world were marked with it. */
  readonly used: number;
}

const ids = Object.keys(assumptions) as AssumptionId[]; // its keys are just these: the registry is a literal

/** The assumptions that one answer rests on. */
export interface Marking {
  readonly assume: Assume;
  readonly mark: (id: AssumptionId) => void;
  /** The marks that the reply has so far. */
  readonly marks: readonly AssumptionId[];
}

/** The assumptions of one world, with the choices made for it: the scenario's schema has checked them. */
export const createAssumptions = (choices: AssumptionChoices) => {
  const choiceOf = (id: AssumptionId): string => choices[id] ?? assumptions[id].choices[0][0];
  const used = new Map<AssumptionId, number>();

  return {
    /** The value of every assumption. */
    choices: () => Object.fromEntries(ids.map((id) => [id, choiceOf(id)])) as AssumptionChoices, // of each one of its own

    /** Every assumption with its text, its value here, and how often answers rested on it. */
    list: (): AssumptionInUse[] =>
      ids.map((id) => ({
        id,
        ...structuredClone(assumptions[id]),
        value: choiceOf(id),
        used: used.get(id) ?? 0,
      })),

    /**
     * For one answer: takes values through `assume`, and tells which marks the reply must carry. What is standing is
     * marked through `mark` alone, where it is the very reason of an error.
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
      // It returns for each id one of its own choices.
      return { assume: assume as Assume, mark, marks };
    },
  };
};

export type Assumptions = ReturnType<typeof createAssumptions>;

const isStanding = (id: AssumptionId): boolean => 'standing' in assumptions[id];

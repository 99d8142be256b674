import * as z from 'zod';
import { type AssumptionId, assumptions } from '../../protocol/assumptions.ts';
import { didYouMean } from '../../util/nearest.ts';
import { command, required } from '../command.ts';

export const assumptionsCommands = {
  /** Every assumption that the mock makes where the contract is silent, with its value in this world. */
  list: command({
    http: 'GET /assumptions',
    summary: 'Lists every assumption, with its value in this world.',
    run: async ({ world }) => world().assumptions.list(),
  }),
  /**
   * Changes the value of an assumption until the world is reset. Everything else in the world stays.
   *
   * @throws Error if there is no such assumption, or if it has no such value
   * @example
   * await gateway.assumptions.set('unknown-cursor', 'empty-page');
   */
  set: command({
    http: 'PUT /assumptions/{id}',
    summary: 'Changes the value of an assumption until the world is reset.',
    input: () => [
      required('id', z.string() as unknown as z.ZodType<AssumptionId>),
      required('choice', z.string()),
    ],
    writes: true,
    run: async ({ world }, id: AssumptionId, choice: string) => {
      const ids = Object.keys(assumptions);
      if (!ids.includes(id))
        throw new Error(`Failed to set the assumption "${id}": no such assumption.${didYouMean(id, ids)}`);
      const values = assumptions[id].choices.map(([value]): string => value);
      if (!values.includes(choice))
        throw new Error(
          `Failed to set the assumption "${id}" to "${choice}": no such value.${didYouMean(choice, values)} Use ${values.join(', ')}.`,
        );
      world().choose(id, choice);
    },
  }),
};

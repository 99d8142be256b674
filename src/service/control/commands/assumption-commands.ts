import * as z from 'zod';
import { type AssumptionId, assumptions } from '../../../core/assumptions/table.ts';
import { textSchema } from '../../../core/journal/request-filter.ts';
import { findExtraFields, findRefusedByAssumptions } from '../../../core/scenario/further-errors.ts';
import { didYouMean } from '../../../core/util/nearest.ts';
import { toPathText } from '../../../core/util/path-text.ts';
import { type CommandsOf, change, command } from '../command.ts';
import type { Control } from '../control-interface.ts';

export const assumptionsCommands = {
  list: command({
    summary: 'Lists every assumption, with its value in this world.',
    run: ({ session }) => session.state.world.assumptions.list(),
  }),
  set: change({
    summary: 'Changes the value of an assumption until the world is reset.',
    args: ['id', 'choice'],
    input: () => z.strictObject({ id: textSchema<AssumptionId>(), choice: z.string() }),
    example: { id: 'unknown-cursor', choice: 'empty-page' },
    run: ({ session }, { id, choice }) => {
      const ids = Object.keys(assumptions);
      if (!ids.includes(id))
        throw new Error(`Failed to set the assumption "${id}": no such assumption.${didYouMean(id, ids)}`);
      const values = assumptions[id].choices.map(([value]): string => value);
      if (!values.includes(choice))
        throw new Error(
          `Failed to set the assumption "${id}" to "${choice}": no such value.${didYouMean(choice, values)} Use ${values.join(', ')}.`,
        );
      const { world } = session.state;
      const present = world.toScenario();
      const chosen = { ...present, assumptions: { ...present.assumptions, [id]: choice } };
      const extra = id === 'extra-fields' && choice === 'refused' ? findExtraFields(chosen) : [];
      for (const { path, message } of [...findRefusedByAssumptions(chosen), ...extra])
        throw new Error(
          `Failed to set the assumption "${id}" to "${choice}": the world has a record that it does not allow, at ${toPathText(path)}: ${message}.`,
        );
      world.choose(id, choice);
    },
  }),
} satisfies CommandsOf<Control['assumptions']>;

import * as z from 'zod';
import { createDatabase, recordOf } from '../../world/database.ts';
import { drawId } from '../../world/faker.ts';
import { defineKind } from '../../world/kind.ts';
import { recordIdSchema } from '../../world/record-schema.ts';
import { seedsOfKeys, withKeys } from '../../world/sections.ts';
import { hyperparametersSchema } from './contract.ts';
import { promptModel } from './model.ts';
import { findTemplateError } from './template.ts';
import type { Prompt, PromptVersion, StoredPrompt } from './types.ts';

const templateSchema = z.lazy(() =>
  z.strictObject({
    parameters: hyperparametersSchema.omit({ messages: true }).default({}),
    messages: z
      .array(
        z.looseObject({
          role: z.string(),
          content: z.string().exactOptional(),
          name: z.string().exactOptional(),
        }),
      )
      .min(1)
      .superRefine((messages, context) => {
        const error = findTemplateError(messages);
        if (error !== undefined) context.addIssue({ code: 'custom', message: error });
      }),
  }),
);

const versionSchema = z.lazy(() =>
  templateSchema.unwrap().extend({
    version: z.int().min(1),
    labels: z.array(z.string().min(1)).default([]),
  }),
);

/** The schema of a stored prompt: one template, or several versions of which one is published (default: the newest). */
export const promptSchema = z.lazy(() =>
  z.union([
    templateSchema.unwrap().extend({ description: z.string().exactOptional() }),
    z
      .strictObject({
        description: z.string().exactOptional(),
        published: z.int().exactOptional(),
        versions: z.array(versionSchema).min(1),
      })
      .superRefine(({ published, versions }, context) => {
        const names = ['latest', ...versions.flatMap((one) => [String(one.version), ...one.labels])];
        const before = new Set<string>();
        const twice = names.find((name) => before.size === before.add(name).size);
        if (twice !== undefined)
          context.addIssue({ code: 'custom', message: `"${twice}" is the name of more than one version` });
        if (published !== undefined && versions.every((one) => one.version !== published))
          context.addIssue({
            code: 'custom',
            path: ['published'],
            message: `the version ${published} does not exist`,
          });
      }),
  ]),
) satisfies z.ZodType<Prompt>;

const section = {
  name: 'prompts',
  schema: z.lazy(() =>
    z
      .record(recordIdSchema, z.union([z.string(), promptSchema]))
      .default({})
      .describe('The stored prompts by id, each a prompt or the name of a fixture.'),
  ),
} as const;

/** The stored prompts. They have no owner and no order. */
export const prompts = defineKind<StoredPrompt, typeof section>({
  name: 'prompt',
  plural: 'prompts',
  section,
  columns: Object.keys(promptModel),
  fields: z.lazy(() => {
    const [template, versioned] = promptSchema.unwrap().options;
    const id = { id: recordIdSchema };
    return z.union([template.extend(id), versioned.safeExtend(id)]);
  }),
  newId: () => drawId('prompt_'),
  // Names of fixtures were replaced when the scenario was loaded.
  seeds: (given) => {
    const db = createDatabase({ prompt: promptModel });
    return seedsOfKeys(given, (id, stored) => {
      const prompt = { id, ...(stored as Prompt) };
      return recordOf<StoredPrompt>(db.prompt.create(prompt), Object.keys(prompt));
    });
  },
  withChanges: (given, _owner, changes) => withKeys(given, changes, ({ id: _, ...stored }) => stored),
  write: (given) => ({ record: given as StoredPrompt, transitions: [] }), // prompts are always written completely
});

/** Finds the version of a suffix: a number, a label or `latest`. Without a suffix, the published version. */
export const findVersion = (stored: Prompt, suffix: string | undefined): PromptVersion | undefined => {
  const versions = 'versions' in stored ? stored.versions : [{ ...stored, version: 1, labels: [] }];
  const published = 'versions' in stored ? stored.published : 1;
  const newest = Math.max(...versions.map(({ version }) => version));
  const wanted = String(suffix === 'latest' ? newest : (suffix ?? published ?? newest));
  return versions.find(({ version, labels }) => String(version) === wanted || labels.includes(wanted));
};

import * as z from 'zod';
import { createDatabase, recordOf } from '../../world/database.ts';
import { drawId } from '../../world/faker.ts';
import type { Kind } from '../../world/kind.ts';
import { recordIdSchema } from '../../world/record-schema.ts';
import { seedsOfKeys, withKeys } from '../../world/sections.ts';
import type { World } from '../../world/world.ts';
import { findPromptErrors } from './check-prompt.ts';
import { hyperparametersSchema } from './contract.ts';
import { promptModel } from './model.ts';
import type { Prompt, PromptVersion, StoredPrompt } from './types.ts';

/**
 * Any hyperparameters, since an assumption says which types are allowed. They keep their order, and editors complete those of
 * the contract.
 */
const templateSchema = z.lazy(() => {
  const { messages, ...parameters } = hyperparametersSchema.shape;
  const message = z.union([z.looseObject({}), messages.unwrap().element]);
  return z.strictObject({
    parameters: z.union([z.looseObject({}), z.looseObject(parameters)]).default({}),
    messages: z.array(message).min(1).exactOptional(),
    string: z
      .string()
      .exactOptional()
      .describe('In place of the messages: their list as a JSON text, or the text of a partial.'),
  });
});

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
    z.strictObject({
      description: z.string().exactOptional(),
      published: z.int().exactOptional(),
      versions: z.array(versionSchema).min(1),
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
export const prompts: Kind<StoredPrompt, typeof section> = {
  name: 'prompt',
  plural: 'prompts',
  section,
  columns: Object.keys(promptModel),
  fields: z.lazy(() => {
    const [template, versioned] = promptSchema.unwrap().options;
    const id = { id: recordIdSchema };
    return z.union([template.extend(id), versioned.extend(id)]);
  }),
  findErrors: findPromptErrors,
  newId: () => drawId('prompt_'),
  // Names of fixtures were replaced when the scenario was loaded.
  seeds: (parts) => {
    const db = createDatabase({ prompt: promptModel });
    return seedsOfKeys(parts, (id, stored) => {
      const prompt = { id, ...(stored as Prompt) };
      return recordOf<StoredPrompt>(db.prompt.create(prompt), Object.keys(prompt));
    });
  },
  withChanges: (parts, _owner, changes) => withKeys(parts, changes, ({ id: _, ...stored }) => stored),
  write: (prompt) => ({ record: prompt as StoredPrompt, transitions: [] }), // prompts are always written completely
};

/** A version of a stored prompt, found by an id. */
export interface FoundPrompt {
  /** Its id and version, such as `prompt_welcome@2`. */
  readonly name: string;
  readonly stored: StoredPrompt;
  readonly version: PromptVersion;
  /** Whether a suffix picked the version. */
  readonly isPicked: boolean;
}

/** Finds the version of a prompt. An id may contain an @ itself, so the whole text is tried first. */
export const findPrompt = (text: string, world: World): FoundPrompt | undefined => {
  const find = (id: string, suffix?: string): FoundPrompt | undefined => {
    const stored = world.list(prompts)?.get(id);
    const version = stored && findVersion(stored, suffix);
    return version && { name: `${id}@${version.version}`, stored, version, isPicked: suffix !== undefined };
  };
  const at = text.lastIndexOf('@');
  return find(text) ?? (at === -1 ? undefined : find(text.slice(0, at), text.slice(at + 1)));
};

/** Finds the version of a suffix: a number, a label or `latest`. Without a suffix, the published version. */
const findVersion = (stored: Prompt, suffix: string | undefined): PromptVersion | undefined => {
  const versions = 'versions' in stored ? stored.versions : [{ ...stored, version: 1, labels: [] }];
  const published = 'versions' in stored ? stored.published : 1;
  const newest = Math.max(...versions.map(({ version }) => version));
  const wanted = String(suffix === 'latest' ? newest : (suffix ?? published ?? newest));
  return versions.find(({ version, labels }) => String(version) === wanted || labels.includes(wanted));
};

/** The ids that a misspelt id is compared with: a world may have very many. */
export const firstIds = (world: World): string[] =>
  (world.list(prompts)?.entries() ?? []).slice(0, 1000).map(({ id }) => id);

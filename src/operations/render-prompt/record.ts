import { z } from 'zod';
import { nearest } from '../../protocol/nearest.ts';
import { defineKind, type Fixtures } from '../../world/kind.ts';
import { sourceOf } from '../../world/source.ts';
import { hyperparameters } from './contract.ts';
import { findTemplateMistake } from './template.ts';

const template = z.strictObject({
  /** The hyperparameters that every rendering has, unless the request sends its own. */
  parameters: hyperparameters.omit({ messages: true }).default({}),
  /** Mustache in any text but the role. */
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
      const mistake = findTemplateMistake(messages);
      if (mistake !== undefined) context.addIssue({ code: 'custom', message: mistake });
    }),
});

const version = template.extend({
  version: z.int().min(1),
  /** Further names that pick this version, as in `id@label`. */
  labels: z.array(z.string().min(1)).default([]),
});

/** A stored prompt: one template, or several versions of it of which one is published (default: the newest). */
export const prompt = z.union([
  template.extend({ description: z.string().exactOptional() }),
  z
    .strictObject({
      description: z.string().exactOptional(),
      published: z.int().exactOptional(),
      versions: z.array(version).min(1),
    })
    .superRefine(({ published, versions }, context) => {
      const names = ['latest', ...versions.flatMap((one) => [String(one.version), ...one.labels])];
      const twice = names.find((name, at) => names.indexOf(name) !== at);
      if (twice !== undefined)
        context.addIssue({ code: 'custom', message: `"${twice}" stands for more than one version` });
      if (published !== undefined && versions.every((one) => one.version !== published))
        context.addIssue({
          code: 'custom',
          path: ['published'],
          message: `there is no version ${published}`,
        });
    }),
]);

export type Prompt = z.output<typeof prompt>;
export type PromptVersion = z.output<typeof version>;
export type TemplateMessage = PromptVersion['messages'][number];

const section = {
  name: 'prompts',
  /** By id: the name of a fixture in `fixtures/prompts/`, or the prompt itself. */
  schema: z.record(z.string().min(1), z.union([z.string(), prompt])).default({}),
} as const;

/** The stored prompts. */
export const prompts = defineKind<Prompt, typeof section>({
  name: 'prompt',
  section,
  source: (given, _owner, { fixtures }) =>
    sourceOf(
      Object.entries(given).map(([id, value]) => {
        if (typeof value !== 'string') return [id, () => value];
        const fixture = findFixture(id, value, fixtures);
        return [id, () => prompt.parse(fixture)];
      }),
    ),
});

const findFixture = (id: string, name: string, { prompts: known }: Fixtures): unknown => {
  if (Object.hasOwn(known, name)) return known[name];
  throw new Error(
    `Failed to load the prompt "${id}": there is no fixture "${name}". Did you mean "${nearest(name, Object.keys(known))}"?`,
  );
};

/** The version that a suffix picks: none (the published one), `latest`, a number or a label. */
export const findVersion = (stored: Prompt, suffix: string | undefined): PromptVersion | undefined => {
  const versions = 'versions' in stored ? stored.versions : [{ ...stored, version: 1, labels: [] }];
  const newest = Math.max(...versions.map(({ version: number }) => number));
  const published = ('published' in stored ? stored.published : undefined) ?? newest;
  const wanted = suffix === undefined ? published : suffix === 'latest' ? newest : suffix;
  return versions.find(
    ({ version: number, labels }) => String(number) === String(wanted) || labels.includes(String(wanted)),
  );
};

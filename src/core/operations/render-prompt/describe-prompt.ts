import { describeError } from '../../util/validation-error.ts';
import type { World } from '../../world/world.ts';
import { findPartials } from './partials.ts';
import { findVariables } from './prompt-example.ts';
import { warnOfPrompt } from './prompt-warnings.ts';
import { findPrompt } from './record.ts';
import type { Prompt, PromptInfo } from './types.ts';

/** Describes a stored prompt. Undefined if it does not exist. */
export const describePrompt = (id: string, world: World): PromptInfo | undefined => {
  const found = findPrompt(id, world);
  if (found === undefined) return undefined;
  const { version, stored } = found;
  const { names, example } = findVariables(version, world);
  const { partials, unknown, unnamed } = findPartials(version, {}, world);
  return {
    variables: names,
    example,
    partials: [...partials.keys(), ...unknown, ...[...unnamed].map((name) => `>${name}`)],
    versions: describeVersions(stored),
    warnings: [...warnOfPrompt(stored, world)].map(describeError),
  };
};

const describeVersions = (stored: Prompt): string[] => {
  if (!('versions' in stored)) return [];
  const { versions, published = Math.max(...versions.map(({ version }) => version)) } = stored;
  return versions.map(({ version, labels }) => {
    const words = version === published ? [...labels, 'published'] : labels;
    return words.length === 0 ? String(version) : `${version} (${words.join(', ')})`;
  });
};

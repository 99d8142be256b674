import { isMapping } from '../../util/mapping.ts';
import type { World } from '../../world/world.ts';
import { textsOf } from './check-prompt.ts';
import { parseTemplate, partsIn } from './parse-template.ts';
import { findPrompt } from './record.ts';
import { lookUp, type PartialTexts } from './template.ts';
import type { PromptTemplate, PromptVersion } from './types.ts';

/** The texts of a template: it has either `messages` or `string`. */
export interface TemplateTexts {
  readonly messages?: PromptTemplate['messages'] | undefined;
  readonly string?: string | undefined;
}

/** Finds the partials of a template by their ids, wherever they are named, also in other partials. */
export const findPartials = ({ messages, string }: TemplateTexts, variables: object, world: World) => {
  const partials = new Map<string, PartialTexts>();
  const texts = textsOf({ messages, string }).map(({ text }) => text);
  const unknown = new Set<string>();
  const unnamed = new Set<string>();
  for (const text of texts) // the texts of partials are added behind
    for (const part of partsIn(parseTemplate(text, 'kept'))) {
      if (part.type !== 'partial') continue;
      const { name, isNamedByVariable } = part;
      const id = isNamedByVariable ? lookUp(name, [variables]) : name;
      if (id === undefined || id === null) unnamed.add(name);
      else if (!partials.has(String(id))) {
        const partial = findPrompt(String(id), world);
        if (partial === undefined) unknown.add(String(id));
        else {
          const own = textsOfPartial(partial.version);
          partials.set(String(id), { name: partial.name, texts: own });
          texts.push(...own);
        }
      }
    }
  return {
    /** The partials that exist, by id. */
    partials,
    /** The texts of the template and of its partials. */
    texts,
    /** The ids of partials that do not exist. */
    unknown,
    /** The variables that should name a partial, and are missing. */
    unnamed,
  };
};

/** The text of a prompt as a partial: of its messages, the contents. */
const textsOfPartial = ({ messages = [], string }: PromptVersion): string[] => {
  const contents: unknown[] = messages.flatMap(({ content }) => content);
  const texts = contents.map((content) => (isMapping(content) ? content.text : content)); // an image has no text
  return string === undefined ? texts.filter((text) => typeof text === 'string') : [string];
};

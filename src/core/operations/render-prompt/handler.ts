import type { Assume } from '../../protocol/assumptions.ts';
import { defineOperation } from '../../protocol/define-operation.ts';
import { refuse } from '../../protocol/errors.ts';
import { limits } from '../../util/limits.ts';
import { truncate } from '../../util/truncate.ts';
import type { World } from '../../world/world.ts';
import { renderPromptContract } from './contract.ts';
import { readRenderRequest } from './hyperparameters.ts';
import { findVersion, prompts } from './record.ts';
import { type PartialTexts, type Rendering, renderMessage } from './template.ts';
import type { Hyperparameters, PromptPreview, PromptVersion } from './types.ts';

/** Renders a stored prompt (contract: Endpoints, 1). */
export const renderPrompt = defineOperation({
  contract: renderPromptContract,
  kinds: [prompts],
  lists: undefined,
  docs: () => import('./docs.ts'),
  quotaSubject: ({ promptId }, { data: { model, messages } }) => ({ prompt: promptId, model, messages }),
  handle({ params: { promptId }, body, assume }, world: World) {
    const { variables, root } = readRenderRequest(body, assume);
    const found = findPrompt(promptId, world);
    if (found?.isPicked || (found === undefined && promptId.includes('@'))) assume('prompt-version');
    if (found === undefined) return refuse('unknown-prompt', { status: 404, message: 'Invalid prompt id' });

    const { stream: _, ...parameters } = found.version.parameters;
    const { messages: sent, ...others } = root;
    assume('hyperparameter-precedence');
    if (sent !== undefined) assume('root-messages-rendered');
    const messages =
      sent !== undefined && assume('root-messages') === 'replace-template'
        ? sent
        : renderTemplate(found, variables, world, assume);
    // Under `hyperparameter-type: passed-through`, the types may differ from the contract.
    return { success: true, data: { ...parameters, ...others, messages } as Hyperparameters };
  },
});

/** Renders a stored prompt without a call. Undefined if it does not exist. @throws GatewayError if a call would be refused */
export const previewPrompt = (id: string, variables: object, world: World): PromptPreview | undefined => {
  const found = findPrompt(id, world);
  return found && renderMessages(found, variables, world);
};

interface FoundPrompt {
  /** Its id and version, such as `prompt_welcome@2`. */
  readonly name: string;
  readonly version: PromptVersion;
  /** Whether a suffix picked the version. */
  readonly isPicked: boolean;
}

/** Finds the version of a prompt. An id may contain an @ itself, so the whole text is tried first. */
const findPrompt = (text: string, world: World): FoundPrompt | undefined => {
  const find = (id: string, suffix?: string): FoundPrompt | undefined => {
    const stored = world.list(prompts)?.get(id);
    const version = stored && findVersion(stored, suffix);
    return version && { name: `${id}@${version.version}`, version, isPicked: suffix !== undefined };
  };
  const at = text.lastIndexOf('@');
  return find(text) ?? (at === -1 ? undefined : find(text.slice(0, at), text.slice(at + 1)));
};

/** Renders the messages of a call. @throws GatewayError if a variable is missing and the assumption asks for 400 */
const renderTemplate = (found: FoundPrompt, variables: object, world: World, assume: Assume) => {
  assume('template-syntax');
  const { messages, missing } = renderMessages(found, variables, world);
  if (missing.length > 0 && assume('missing-variable') === '400')
    refuse('missing-variable', {
      status: 400,
      message: `The template needs variables that are missing: ${truncate(missing.join(', '))}.`,
      param: 'variables',
    });
  return messages;
};

const renderMessages = ({ name, version }: FoundPrompt, variables: object, world: World) => {
  const missing = new Set<string>();
  const partials = new Map<string, PartialTexts | undefined>();
  let cost = 0;
  const rendering: Rendering = {
    variables,
    chain: [name],
    depth: 0,
    findPartial: (id) => {
      if (!partials.has(id)) partials.set(id, findPartial(id, world));
      return partials.get(id);
    },
    onMissing: (missed) => missing.add(missed),
    onRecursion: (chain) =>
      refuse('recursive-partial', {
        status: 400,
        message: `A partial includes itself: ${chain.join(' > ')}.`,
      }),
    onStep: (step, depth) => {
      if (depth > limits.depth)
        refuse('render-size', {
          status: 400,
          message: `The template is nested too deeply: at most ${limits.depth} sections and partials may contain each other.`,
        });
      cost += step;
      if (cost > limits.rendering)
        refuse('render-size', {
          status: 400,
          message: `The rendering takes more than ${limits.rendering} steps and characters.`,
          param: 'variables',
        });
    },
  };
  return {
    messages: version.messages.map((message) => renderMessage(message, rendering)),
    missing: [...missing],
  };
};

/** The texts of a partial: the contents of the prompt's messages. */
const findPartial = (id: string, world: World): PartialTexts | undefined => {
  const found = findPrompt(id, world);
  const texts = found?.version.messages.flatMap(({ content }) => content ?? []) ?? [];
  return found && { name: found.name, texts };
};

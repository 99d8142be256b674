import { refuse } from '../../protocol/refuse.ts';
import { didYouMean } from '../../util/nearest.ts';
import { truncate } from '../../util/truncate.ts';
import type { World } from '../../world/world.ts';
import { defineOperation } from '../operation.ts';
import { renderPromptContract } from './contract.ts';
import { readRenderRequest } from './hyperparameters.ts';
import { findPrompt, firstIds, prompts } from './record.ts';
import { checkRendered, renderVersion } from './render-version.ts';
import type { Hyperparameters, PromptPreview } from './types.ts';

export const renderPrompt = defineOperation({
  contract: renderPromptContract,
  kinds: [prompts],
  listsKind: undefined,
  docs: () => import('./docs.ts'),
  quotaSubject: ({ promptId }, { data: { model, messages } }) => ({ prompt: promptId, model, messages }),
  handle({ params: { promptId }, body, assume }, world) {
    const { variables, root } = readRenderRequest(body, assume);
    const found = findPrompt(promptId, world);
    if (found?.isPicked || (found === undefined && promptId.includes('@'))) assume('prompt-version');
    if (found === undefined) return refuse('unknown-prompt', { message: describeUnknown(promptId, world) });

    const { stream: _, ...parameters } = found.version.parameters;
    const { messages: sentMessages, ...others } = root;
    const sent = sentMessages ?? undefined; // it may be null (`hyperparameter-null: kept`)
    const isReplaced = sent !== undefined && assume('root-messages') === 'replace-template';
    const rendered = isReplaced ? undefined : renderVersion(found, variables, world, assume);
    if (rendered && rendered.missing.length > 0 && assume('missing-variable') === '400')
      refuse('missing-variable', {
        message: `The template needs variables that are missing: ${truncate(rendered.missing.join(', '))}.`,
        param: 'variables',
      });
    const { messages = sent, ...stored } = checkRendered(
      { ...parameters, ...(rendered && { messages: rendered.messages }) },
      assume,
    );
    // Under `hyperparameter-type: passed-through`, the types may differ from the contract.
    return { success: true, data: { ...stored, ...others, messages } as Hyperparameters };
  },
});

/** The message of a 404, with the nearest prompt. */
const describeUnknown = (promptId: string, world: World): string => {
  const question = didYouMean(promptId, firstIds(world));
  return `Invalid prompt id${question && `.${question}`}`;
};

/** Renders a stored prompt without a call. Undefined if it does not exist. @throws GatewayError if a call would be refused */
export const previewPrompt = (id: string, variables: object, world: World): PromptPreview | undefined => {
  const found = findPrompt(id, world);
  if (found === undefined) return undefined;
  const { choiceOf } = world.assumptions;
  const { messages, missing } = renderVersion(found, variables, world, choiceOf);
  return { messages: checkRendered({ messages }, choiceOf).messages as PromptPreview['messages'], missing };
};

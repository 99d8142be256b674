import type { PromptInfo } from '../../core/operations/render-prompt/types.ts';

/** A prompt in one line: `letter (text, agent; partials: signature)`. */
export const toPromptLine = (id: string, { variables, partials, versions }: PromptInfo): string => {
  const facts = [
    variables.join(', ') || 'no variables',
    ...(partials.length > 0 ? [`partials: ${partials.join(', ')}`] : []),
    ...(versions.length > 0 ? [`versions: ${versions.join(', ')}`] : []),
  ];
  return printable(`${id} (${facts.join('; ')})`);
};

/** Names may come from strangers, so characters that control a terminal are replaced. */
export const printable = (text: string): string => text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '?');

import type { Lines } from '../../src/core/operations/render-prompt/parse-template.ts';
import { type Rendering, renderText } from '../../src/core/operations/render-prompt/template.ts';

/** What one text became, and what was noted on the way. */
export interface Rendered {
  readonly text: string;
  readonly missing: readonly string[];
  readonly steps: number;
}

/** Renders a text by itself: partials are given by their names, each as one text or several. */
export const render = (
  text: string,
  variables: unknown,
  partials: Readonly<Record<string, string | readonly string[]>> = {},
  lines: Lines = 'kept',
): Rendered => {
  const missing: string[] = [];
  let steps = 0;
  const rendering: Rendering = {
    variables,
    chain: ['main'],
    depth: 0,
    lines,
    findPartial: (id) => ({ name: id, texts: ([] as string[]).concat(partials[id] ?? []) }),
    onMissing: (name) => missing.push(name),
    onStructured: () => {},
    onTooDeep: (chain) => {
      throw new Error(chain.slice(0, 5).join(' > '));
    },
    onStep: (cost) => {
      steps += cost;
    },
  };
  return { text: renderText(text, rendering), missing, steps };
};

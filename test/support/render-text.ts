import { type Rendering, renderText } from '../../src/core/operations/render-prompt/template.ts';

/** What one text became, and what was noted on the way. */
export interface Rendered {
  readonly text: string;
  readonly missing: readonly string[];
  readonly steps: number;
  readonly deepest: number;
}

/** Renders a text by itself: partials are given by their names, each as one text or several. */
export const render = (
  text: string,
  variables: unknown,
  partials: Readonly<Record<string, string | readonly string[]>> = {},
): Rendered => {
  const missing: string[] = [];
  let [steps, deepest] = [0, 0];
  const rendering: Rendering = {
    variables,
    chain: ['main'],
    depth: 0,
    findPartial: (id) => {
      const texts = Object.hasOwn(partials, id) ? partials[id] : undefined;
      return texts === undefined ? undefined : { name: id, texts: [texts].flat() };
    },
    onMissing: (name) => missing.push(name),
    onRecursion: (chain) => {
      throw new Error(chain.join(' > '));
    },
    onStep: (cost, depth) => {
      steps += cost;
      deepest = Math.max(deepest, depth);
    },
  };
  return { text: renderText(text, rendering), missing, steps, deepest };
};

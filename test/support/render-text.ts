import type { Lines } from '../../src/core/operations/render-prompt/parse-template.ts';
import { Renderer } from '../../src/core/operations/render-prompt/template.ts';

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
  const entries = Object.entries(partials).map(
    ([name, texts]) => [name, { name, texts: [texts].flat() }] as const,
  );
  const renderer = new Renderer({ name: 'main', variables, partials: new Map(entries), lines });
  return { text: renderer.renderText(text), missing: [...renderer.missing], steps: renderer.cost };
};

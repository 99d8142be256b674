// The cases of Mustache's specification as inputs and our results, with `template-lines: removed`, which is its rule of lines. Where ours
// differ, a field note asks for it (field notes, section 5; `template-syntax` of docs/assumptions.md):
// - text is put in verbatim, so three cases have no HTML escapes;
// - a partial that does not exist is refused before anything is rendered (`missing-partial`), so that case is left out;
// - dynamic names and inheritance are refused when the prompt is stored; a lambda cannot be sent as JSON.
import { expect, test } from 'vitest';
import cases from '../../../../test/support/mustache-cases.json' with { type: 'json' };
import { render } from '../../../../test/support/render-text.ts';

type Case = readonly [
  kind: string,
  template: string,
  data: unknown,
  partials: Record<string, string>,
  ours: string | null,
];

const refusals: Readonly<Record<string, string>> = {
  'dynamic-names': 'is a dynamic name, which the gateway does not have',
  inheritance: 'is inheritance, which the gateway does not have',
};

test.each(cases as unknown as readonly Case[])('%s: %j with %j', (kind, template, data, partials, ours) => {
  const rendered = () => render(template, data, partials, 'removed').text;
  const refusal = refusals[kind];
  if (refusal === undefined) expect(rendered()).toBe(ours);
  else expect(rendered).toThrow(refusal);
});

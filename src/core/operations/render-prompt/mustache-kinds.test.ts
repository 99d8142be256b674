// Lines with a lone tag, kept and removed, and templates as JSON text. The cases of the specification are in
// mustache-specification.test.ts.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openGateway } from '../../../../test/support/open-gateway.ts';
import { render } from '../../../../test/support/render-text.ts';
import { tries } from '../../../../test/support/settings.ts';

test.each<
  [template: string, variables: object, kept: string, removed: string, partials?: Record<string, string>]
>([
  ['a\n{{#t}}\nb\n{{/t}}\nc', { t: true }, 'a\n\nb\n\nc', 'a\nb\nc'],
  ['a\n {{^t}}\nb\n {{/t}}\nc', {}, 'a\n \nb\n \nc', 'a\nb\nc'],
  ['a\r\n{{! gone }}\r\nb', {}, 'a\r\n\r\nb', 'a\r\nb'],
  ['a\n{{=<% %>=}}\nb', {}, 'a\n\nb', 'a\nb'],
  ['a\n  {{>p}}\nb', {}, 'a\n  x\ny\nb', 'a\n  x\n  yb', { p: 'x\ny' }],
  [' {{>a}}', {}, ' x\n y\nz', ' x\n  y\n  z', { a: 'x\n {{>b}}', b: 'y\nz' }],
  ['{{#t}}\nb{{/t}}\n{{#t}}\n{{/t}}', { t: true }, '\nb\n\n', 'b\n'],
])(
  'template-lines: %j with %j is %j, and %j by the specification',
  (template, variables, kept, removed, partials = {}) => {
    expect(render(template, variables, partials, 'kept').text).toBe(kept);
    expect(render(template, variables, partials, 'removed').text).toBe(removed);
  },
);

const text = fc.string({
  unit: fc.constantFrom('a', ' ', '\n', '"', '\\', '<', '{', '}', 'é', '🙂', '\u0001'),
  maxLength: 6,
});
/** Templates whose braces are tags: a text that ends in `{` would change the tag behind it. */
const plain = text.map((piece) => piece.replaceAll(/[{}]/g, ''));
const template = fc.letrec<{ parts: string }>((tie) => ({
  parts: fc
    .array(
      fc.oneof(
        { depthSize: 'small' },
        plain,
        fc.constantFrom('{{v}}', '{{{w}}}', '{{o.v}}', '{{.}}', '{{! c }}', '{{missing}}'),
        fc
          .tuple(fc.constantFrom('#', '^'), fc.constantFrom('v', 'l', 'o', 'none'), tie('parts'))
          .map(([kind, name, inner]) => `{{${kind}${name}}}${inner}{{/${name}}}`),
      ),
      { maxLength: 5 },
    )
    .map((parts) => parts.join('')),
})).parts;

test('the same prompt as messages and as their JSON text renders the same', () => {
  const { send, gateway } = openGateway({ scenario: { prompts: {} } });
  let count = 0;
  return fc.assert(
    fc.asyncProperty(
      fc.array(template, { minLength: 1, maxLength: 3 }),
      text,
      text,
      async (contents, v, w) => {
        count += 1;
        const messages = contents.map((content) => ({ role: 'user', content, name: '{{w}}' }));
        // Outside of JSON, `JSON.stringify` would escape what a tag contains; these tags contain nothing of the kind.
        const string = JSON.stringify(messages);
        await gateway.records.prompts.create({ id: `m${count}`, messages });
        await gateway.records.prompts.create({ id: `s${count}`, string });
        const variables = { v, w, o: { v: w }, l: [v, { w }] };
        const [first, second] = ['m', 's'].map((form) =>
          send({ path: `/prompts/${form}${count}/render`, body: { variables } }),
        );
        expect(second?.status).toBe(200);
        expect(second?.body).toBe(first?.body);
      },
    ),
    tries(300),
  );
});

import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';

const folder = new URL('.', import.meta.url);

const parse = (name: string, text: string): ts.SourceFile =>
  ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);

/** The attributes and properties that a person reads or hears. */
const spoken =
  /^(?:title|label|hint|placeholder|caption|alt|done|message|singular|aria-label|aria-valuetext)$/;

/** The literal texts that an expression may result in. */
const literalsOf = (node: ts.Node | undefined): readonly string[] => {
  if (node === undefined) return [];
  if (ts.isStringLiteralLike(node) || ts.isJsxText(node)) return [node.text];
  if (ts.isTemplateExpression(node))
    return [
      node.head.text,
      ...node.templateSpans.flatMap((span) => [...literalsOf(span.expression), span.literal.text]),
    ];
  if (ts.isJsxExpression(node) || ts.isParenthesizedExpression(node)) return literalsOf(node.expression);
  if (ts.isConditionalExpression(node)) return [...literalsOf(node.whenTrue), ...literalsOf(node.whenFalse)];
  if (ts.isBinaryExpression(node) && node.operatorToken.kind !== ts.SyntaxKind.EqualsEqualsEqualsToken)
    return [...literalsOf(node.left), ...literalsOf(node.right)];
  return [];
};

/** The words in a component that are not in texts.ts. */
const findWords = (name: string, text: string): readonly string[] => {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isJsxElement(node) || ts.isJsxFragment(node)) found.push(...node.children.flatMap(literalsOf));
    if ((ts.isJsxAttribute(node) || ts.isPropertyAssignment(node)) && spoken.test(node.name.getText()))
      found.push(...literalsOf(node.initializer));
    node.forEachChild(visit);
  };
  visit(parse(name, text));
  return found.filter((one) => /\p{L}/u.test(one)).map((one) => `${name}: ${one.trim()}`);
};

test('all words of the page are in texts.ts', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.tsx'),
  );
  expect(files.length).toBeGreaterThan(20);
  expect(files.flatMap((name) => findWords(name, readFileSync(new URL(name, folder), 'utf8')))).toEqual([]);
});

test.each([
  ['<p>Hello {name}</p>', ['Hello']],
  ["<p>{isOn ? 'on' : `off`}</p>", ['on', 'off']],
  ['<p title="Hello" class="red">{t.on} ×</p>', ['Hello']],
  ["<p aria-label={a && 'Hello'} id={'x'} />", ['Hello']],
  ["const columns = [{ title: 'Name', class: 'mono' }];", ['Name']],
  ["<p key={a}>{kind === 'runs' && <b>{t.runs}</b>}</p>", []],
])('finds the words in %s', (text, words) => {
  expect(findWords('a.tsx', text)).toEqual(words.map((word) => `a.tsx: ${word}`));
});

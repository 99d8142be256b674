// Variable values are put into the template (contract: Endpoints, 1).
import { renderPromptContract } from '../operations/render-prompt/contract.ts';
import { ask, fieldOf, parseReply, renderCall } from './calls.ts';
import { type CheckTarget, type Findings, failed, formatValue, NotCheckable, toChecks } from './check.ts';
import {
  findShown,
  findSomeShown,
  hasMark,
  rendered,
  renderTexts,
  renderWith,
  replaceVariables,
  toMark,
} from './renderings.ts';
import { findTextPaths, findTexts } from './texts.ts';

/** A variable's tag that is left in a text, in any template notation. */
const findTag = (name: string, texts: readonly string[]): string | undefined => {
  const tag = new RegExp(`\\{\\{[{&]?\\s*${name.replace(/[^\w]/g, '\\$&')}\\s*\\}\\}`);
  return texts.map((text) => tag.exec(text)?.[0]).find((found) => found !== undefined);
};

/** Each text among the variables must be shown, and none of their tags be left. */
async function* checkSubstitution(target: CheckTarget): Findings {
  const { request, texts, shown } = await findShown(target);
  for (const [index, name] of findTextPaths(target.samples.variables).entries()) {
    const tag = findTag(name, texts);
    if (shown.includes(index) && tag === undefined) continue;
    const expected = `messages with the text of variables.${name}`;
    yield failed(request, expected, tag ?? `no such text: ${formatValue(texts.join(' '))}`, name);
  }
}

/** The name in the other letter case; undefined if it has no letters. */
const swapCase = (name: string): string | undefined => {
  const swapped = name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase();
  return swapped === name ? undefined : swapped;
};

/** Sends a value under the name in the other letter case, instead of the variable and beside it. */
async function* checkNames(target: CheckTarget): Findings {
  const { shown } = await findShown(target);
  const { variables: given = {} } = target.samples;
  const name = findTextPaths(given).find(
    (path, index) => shown.includes(index) && typeof given[path] === 'string' && swapCase(path),
  );
  const other = swapCase(name ?? '');
  if (name === undefined || other === undefined || Object.hasOwn(given, other))
    throw new NotCheckable('the messages show no variable whose name has another letter case.');
  const own = replaceVariables(target.samples, toMark);
  const count = findTexts(given).length;
  const mark = toMark(count);
  const { [name]: _, ...others } = own;
  let isRendered = false;
  for (const variables of [
    { ...others, [other]: mark },
    { ...own, [other]: mark },
  ]) {
    const call = renderCall({ ...target.samples, variables });
    const reply = await ask(target, call);
    if (reply.status !== 200) continue; // a missing or unknown variable may be refused
    isRendered = true;
    const texts = findTexts(fieldOf(fieldOf(parseReply(reply), 'data'), 'messages'));
    if (hasMark(texts, count))
      yield failed(call, `no text of variables.${other}, since the template has ${name}`, 'its text');
  }
  if (!isRendered) throw new NotCheckable(`the target refuses the variable ${other}.`);
}

/** Both letter cases, digits, and a letter beyond ASCII. It may be escaped: the contract does not state how values are escaped. */
const toLetters = (index: number): string => `gWm${index}MwG7Ä9`;
const hasLetters = (text: string, index: number): boolean =>
  new RegExp(`gWm${index}MwG7(?:Ä|\\\\u00[cC]4|&#196;|&#[xX]0*[cC]4;|&Auml;)9`).test(text.normalize('NFC'));

/** The words of a text that no escaping changes, without what could be a tag or a replacement pattern. */
const wordsOf = (text: string): readonly string[] =>
  text.replace(/\{\{.*?\}\}|[$%&\\]\w+/g, ' ').match(/[A-Za-z0-9]+/g) ?? [];

/** Checks each variable with letters that are easily changed, and then with its given text. */
async function* checkLetters(target: CheckTarget): Findings {
  const shown = await findSomeShown(target);
  const { variables } = target.samples;
  const [paths, given] = [findTextPaths(variables), findTexts(variables)];
  const changed = await renderWith(target, toLetters);
  const plain = await renderTexts(target, variables);
  for (const index of shown) {
    const [name = '', text = ''] = [paths[index], given[index]];
    const isKept = changed.texts.some((one) => hasLetters(one, index));
    if (!isKept)
      yield failed(
        changed.request,
        `${formatValue(toLetters(index))} for variables.${name}`,
        formatValue(changed.texts.join(' ')),
        name,
      );
    const lost = wordsOf(text).filter((word) => !plain.texts.some((one) => one.includes(word)));
    if (isKept && lost.length > 0)
      yield failed(
        plain.request,
        `${formatValue(text)} for variables.${name}`,
        `messages without ${formatValue(lost.join(' '))}: ${formatValue(plain.texts.join(' '))}`,
        name,
      );
  }
}

/** The number sent in place of a text. Three digits have no separators in any notation. */
const toNumber = (index: number): number => 731 + index;

async function* checkNumbers(target: CheckTarget): Findings {
  const shown = await findSomeShown(target);
  const paths = findTextPaths(target.samples.variables);
  const { request, texts } = await renderWith(target, toNumber);
  for (const index of shown)
    if (!texts.some((text) => text.includes(String(toNumber(index)))))
      yield failed(
        request,
        `${toNumber(index)} for variables.${paths[index]}`,
        formatValue(texts.join(' ')),
        paths[index],
      );
}

const subject = { ...rendered, needs: ['prompt', 'variables'] } as const;

export const variableChecks = toChecks(subject, renderPromptContract.section, {
  substitutes: ['The value of each variable is put into the template.', checkSubstitution],
  letters: ['A text value keeps its letters and digits, and their case.', checkLetters],
  numbers: ['A number is also put into the template.', checkNumbers],
  'variable-names': ['Variable names are case-sensitive.', checkNames],
});

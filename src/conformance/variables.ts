// That the values of the variables are put into the template (contract: Endpoints, 1).
import { renderPromptContract } from '../operations/render-prompt/contract.ts';
import { ask, fieldOf, parseReply, renderCall } from './calls.ts';
import { broken, describeCall, type Finding, type Law, NotCheckable, show, type Target } from './check.ts';
import {
  findShown,
  findSomeShown,
  hasMark,
  renderTexts,
  renderWith,
  replaceVariables,
  toMark,
} from './renderings.ts';
import { findTextPaths, findTexts } from './texts.ts';

const { section } = renderPromptContract;

/** The tag of a variable that is left in a text, in any of the ways that templates write it. */
const findTag = (name: string, texts: readonly string[]): string | undefined => {
  const tag = new RegExp(`\\{\\{[{&]?\\s*${name.replace(/[^\w]/g, '\\$&')}\\s*\\}\\}`);
  return texts.map((text) => tag.exec(text)?.[0]).find((found) => found !== undefined);
};

/** Each text among the variables is to be shown, and no tag of theirs is left. */
async function* checkSubstitution(target: Target): AsyncGenerator<Finding> {
  const { asked, texts, shown } = await findShown(target);
  for (const [index, name] of findTextPaths(target.samples.variables).entries()) {
    const tag = findTag(name, texts);
    if (shown.includes(index) && tag === undefined) continue;
    const expected = `messages with the text of variables.${name}`;
    yield broken(asked, expected, tag ?? `no such text: ${show(texts.join(' '))}`, name);
  }
}

/** The name in letters of the other case; undefined where it has none. */
const swapCase = (name: string): string | undefined => {
  const swapped = name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase();
  return swapped === name ? undefined : swapped;
};

/** A value under the name in the other case, instead of the variable's own value and beside it. */
async function* checkNames(target: Target): AsyncGenerator<Finding> {
  const { shown } = await findShown(target);
  const { variables: given = {} } = target.samples;
  const name = findTextPaths(given).find(
    (path, index) => shown.includes(index) && typeof given[path] === 'string' && swapCase(path),
  );
  const other = swapCase(name ?? '');
  if (name === undefined || other === undefined || Object.hasOwn(given, other))
    throw new NotCheckable(
      'no text among the variables is shown whose name could be written in another case.',
    );
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
    if (reply.status !== 200) continue; // a variable that is missing, or one too many
    isRendered = true;
    const texts = findTexts(fieldOf(fieldOf(parseReply(reply), 'data'), 'messages'));
    if (hasMark(texts, count))
      yield broken(
        describeCall(call),
        `no text of variables.${other} where the template has ${name}`,
        'its text',
      );
  }
  if (!isRendered) throw new NotCheckable(`the prompt is not rendered with a variable ${other}.`);
}

/** Both cases, digits, and a letter beyond ASCII, which may be escaped: how values are escaped is not in the contract. */
const toLetters = (index: number): string => `gWm${index}MwG7Ä9`;
const hasLetters = (text: string, index: number): boolean =>
  new RegExp(`gWm${index}MwG7(?:Ä|\\\\u00[cC]4|&#196;|&#[xX]0*[cC]4;|&Auml;)9`).test(text.normalize('NFC'));

/** The words of a text that no escaping changes; what could be a tag or a replacement is left out. */
const wordsOf = (text: string): readonly string[] =>
  text.replace(/\{\{.*?\}\}|[$%&\\]\w+/g, ' ').match(/[A-Za-z0-9]+/g) ?? [];

/** Each text with letters that are easily changed, then the given ones. */
async function* checkLetters(target: Target): AsyncGenerator<Finding> {
  const shown = await findSomeShown(target);
  const { variables } = target.samples;
  const [paths, given] = [findTextPaths(variables), findTexts(variables)];
  const changed = await renderWith(target, toLetters);
  const plain = await renderTexts(target, variables);
  for (const index of shown) {
    const [name = '', text = ''] = [paths[index], given[index]];
    const isKept = changed.texts.some((one) => hasLetters(one, index));
    if (!isKept)
      yield broken(
        changed.asked,
        `${show(toLetters(index))} for variables.${name}`,
        show(changed.texts.join(' ')),
        name,
      );
    const lost = wordsOf(text).filter((word) => !plain.texts.some((one) => one.includes(word)));
    if (isKept && lost.length > 0)
      yield broken(
        plain.asked,
        `${show(text)} for variables.${name}`,
        `messages without ${show(lost.join(' '))}: ${show(plain.texts.join(' '))}`,
        name,
      );
  }
}

/** A number that stands for each text. Three digits are written without separators everywhere. */
const toNumber = (index: number): number => 731 + index;

async function* checkNumbers(target: Target): AsyncGenerator<Finding> {
  const shown = await findSomeShown(target);
  const paths = findTextPaths(target.samples.variables);
  const { asked, texts } = await renderWith(target, toNumber);
  for (const index of shown)
    if (!texts.some((text) => text.includes(String(toNumber(index)))))
      yield broken(
        asked,
        `${toNumber(index)} for variables.${paths[index]}`,
        show(texts.join(' ')),
        paths[index],
      );
}

export const variableLaws: readonly Law[] = [
  {
    id: 'render-substitutes',
    section,
    says: 'The value of each variable is put into the template, wherever it is named.',
    needs: ['prompt', 'variables'],
    check: checkSubstitution,
  },
  {
    id: 'render-letters',
    section,
    says: 'A text among the variables keeps its letters and digits, and their case.',
    needs: ['prompt', 'variables'],
    check: checkLetters,
  },
  {
    id: 'render-numbers',
    section,
    says: 'A number among the variables is put into the template, too.',
    needs: ['prompt', 'variables'],
    check: checkNumbers,
  },
  {
    id: 'render-variable-names',
    section,
    says: 'A value is put in for the variable of just its name: upper and lower case differ.',
    needs: ['prompt', 'variables'],
    check: checkNames,
  },
];

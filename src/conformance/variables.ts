// That the values of the variables are put into the template (contract: Endpoints, 1).
import { renderPromptContract } from '../operations/render-prompt/contract.ts';
import { ask, fieldOf, parseReply, renderCall } from './calls.ts';
import { broken, describeCall, type Finding, type Law, NotCheckable, show, type Target } from './law.ts';
import { findShown, replaceVariables, toMark } from './renderings.ts';
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
  const mark = toMark(findTexts(given).length);
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
    if (texts.some((text) => text.includes(mark)))
      yield broken(
        describeCall(call),
        `no text of variables.${other} where the template has ${name}`,
        'its text',
      );
  }
  if (!isRendered) throw new NotCheckable(`the prompt is not rendered with a variable ${other}.`);
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
    id: 'render-variable-names',
    section,
    says: 'A value is put in for the variable of just its name: upper and lower case differ.',
    needs: ['prompt', 'variables'],
    check: checkNames,
  },
];

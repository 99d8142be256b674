// Variable values are put into the template (contract: Endpoints, 1).
import { renderPromptContract } from '../../../core/operations/render-prompt/contract.ts';
import { renderCall } from '../calls.ts';
import { checkEach, type Findings, failed, formatValue, NotCheckable, toChecks } from '../check.ts';
import { fieldOf, parseReply, tryCall } from '../replies.ts';
import { toEscape } from '../texts.ts';
import type { CheckTarget } from '../types.ts';
import {
  findShown,
  hasMark,
  isEncoded,
  renderText,
  renderTexts,
  renderWith,
  replaceVariables,
  textsOf,
  toMark,
} from './renderings.ts';

/** A text of `length` letters, in which each place is different. */
const toLongText = (length: number): string =>
  Array.from({ length: Math.ceil(length / 6) }, (_, at) => ` w${String(at).padStart(4, '0')}`)
    .join('')
    .slice(1, length);

/** Values that a gateway may escape, cut, convert, drop or take for a tag; by the check that sends them. */
const values = {
  letters: ['gWm MwG7 aBcXyZ 0189'],
  longTexts: [1000, 10_000, 70_000].map(toLongText),
  unicode: [
    'é Ä ñ e\u0301 A\u0308 漢字 かな 한글 ﬁ ½ ² Ω',
    '🙂 👩‍👩‍👧 𝒳 שלום مرحبا \u2764\ufe0f a\u200f \u200eb',
    '“a” ‘b’ – — … \u00a0 \u2028 \u200b \ufeff',
  ],
  specialTexts: [
    `"double" 'single' \`back\``,
    '<b>&amp;</b> & a < b',
    '\\n \\\\ \\u0041 / %s %25',
    '{x} } { $ {y} [z] #{w}', // no tag of any usual notation
    "$& $1 $$ $` $'",
    'https://a.example/b?c=d+e&f=%41 a+b@a.example *c* _d_ ~e~',
    'one\ntwo\r\nthree\n\nfour\tfive  six',
    'bell\u0007 escape\u001b[0m delete\u007f',
  ],
  plainTexts: [
    '',
    ' gwm ',
    '007',
    '-7',
    '1.50',
    '1e3',
    '2026-01-15',
    '2026-01-15T12:00:00Z',
    '01/02/2026',
    'null',
    'true',
    '[]',
  ],
  numbers: [0, -7, -0.5, 0.1, 1e21, 731, 1_234_567.891, 9_007_199_254_740_991, 9_223_372_036_854_775_807n],
  booleans: [true, false],
} as const;

/** Texts that need an escape in some notation. */
export const awkwardTexts: readonly string[] = [...values.unicode, ...values.specialTexts];

/** The tag of a variable that remains in a text, in any template notation. */
const findTag = (name: string, texts: readonly string[]): string | undefined => {
  const tag = new RegExp(`\\{\\{[{&]?\\s*${name.replace(/[^\w]/g, '\\$&')}\\s*\\}\\}`);
  return texts.map((text) => tag.exec(text)?.[0]).find((found) => found !== undefined);
};

/** Each text among the variables must be shown, and no tag of a variable may remain. */
async function* checkSubstitution(target: CheckTarget): Findings {
  const { request, texts, all, shown } = await findShown(target, 0);
  for (const variable of all) {
    const tag = findTag(variable.path, texts);
    if (shown.includes(variable) && tag === undefined) continue;
    const expected = `messages with the text of variables.${variable.path}`;
    yield failed(request, expected, tag ?? `no such text: ${formatValue(texts.join(' '))}`, variable.path);
  }
}

/** Values belong to names: neither their order in the request nor a further variable matters. */
async function* checkOrder(target: CheckTarget): Findings {
  const { texts } = await findShown(target);
  const own = Object.entries(replaceVariables(target.samples, toMark));
  const changes = {
    'in another order': own.toReversed(),
    'after another one': [['gwm_further', 'gwm-further'], ...own],
  };
  for (const [about, entries] of Object.entries(changes)) {
    const { request, texts: found } = await renderTexts(target, Object.fromEntries(entries));
    const expected = `the same messages: ${formatValue(texts.join(' '))}`;
    if (found.join('\n') !== texts.join('\n'))
      yield failed(`${request} with the variables ${about}`, expected, formatValue(found.join(' ')), about);
  }
}

/** A name in the other letter case. */
const swapCase = (name: string): string =>
  name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase();

/** Sends a value under a name in the other letter case: in place of the variable, and beside it. */
async function* checkNames(target: CheckTarget): Findings {
  const { shown, all } = await findShown(target, 0);
  const { variables: sampleVariables = {} } = target.samples;
  const name = shown.find(({ path, isPlain }) => isPlain && swapCase(path) !== path)?.path ?? '';
  const other = swapCase(name);
  if (name === '' || Object.hasOwn(sampleVariables, other))
    throw new NotCheckable('the messages show no variable whose name has another letter case.');
  const own = replaceVariables(target.samples, toMark);
  const { [name]: _, ...others } = own;
  let isRendered = false;
  for (const sent of [others, own]) {
    const call = renderCall({ ...target.samples, variables: { ...sent, [other]: toMark(all.length) } });
    const reply = await tryCall(target, call);
    if (reply.status !== 200) continue; // a missing or unknown variable may be refused
    isRendered = true;
    const texts = textsOf(fieldOf(parseReply(reply), 'data'));
    if (hasMark(texts, all.length))
      yield failed(call, `no text of variables.${other}, since the template has ${name}`, 'its text');
  }
  if (!isRendered) throw new NotCheckable(`the target refuses the variable ${other}.`);
}

/** The words of a text that no escaping changes, without what could be a tag or a replacement pattern. */
const wordsOf = (text: string): readonly string[] =>
  text.replace(/\{\{.*?\}\}|[$%&\\]\w+/g, ' ').match(/[A-Za-z0-9]+/g) ?? [];

/** Shows a text, with the codes of characters that may be invisible. */
const showText = (text: string): string => {
  const shown = formatValue(text.slice(0, 100)).replace(/(?! )[\p{M}\p{Z}\ufeff]/gu, toEscape);
  return text.length > 100 ? `${shown}…, ${text.length} characters` : shown;
};

/**
 * Checks that texts arrive as they were sent, or escaped, which only the assumption template-syntax excludes. Inside an array
 * or object, a text may be escaped more than once, so only its words count.
 */
const checkTexts =
  (sent: readonly string[]) =>
  (target: CheckTarget): Findings =>
    checkEach(sent, async function* (value) {
      const { request, found } = await renderText(target, value);
      for (const { path, isPlain, places } of found) {
        const isKept = (place: string): boolean =>
          isEncoded(value, place) || (!isPlain && wordsOf(value).every((word) => place.includes(word)));
        const changed = places.length === 0 ? '' : places.find((place) => !isKept(place));
        if (changed !== undefined)
          yield failed(request, `${showText(value)} for variables.${path}`, showText(changed), path);
      }
    });

/** Whether a text shows a value: a text as it is or escaped, a number in any notation of the same number. */
const isShownAs = (value: unknown, found: string): boolean => {
  if (typeof value === 'string') return isEncoded(value, found);
  if (typeof value === 'number') return found.trim() !== '' && Number(found) === value;
  return found.trim().toLowerCase() === String(value);
};

/** The words that programs write for a missing value. */
const absenceWords = /^(?:none|null|undefined|nil|nan|false|""|''|\{\{.*\}\})$/i;

/** How many variables get each value: a gateway treats all variables alike. */
const maxVariables = 2;

/**
 * Sends values, one variable at a time, and finds what replaces the mark. A variable that also controls a section is left out:
 * there, an empty text changes more than its own place.
 */
const checkValues = (sent: readonly unknown[]) =>
  async function* (target: CheckTarget): Findings {
    const { shown, texts } = await findShown(target);
    for (const { index, path } of shown.filter(({ isPlain }) => isPlain).slice(0, maxVariables)) {
      const at = texts.findIndex((text) => text.includes(toMark(index)));
      const parts = texts[at]?.split(toMark(index)) ?? [];
      const read = async (value: unknown) => {
        const { request, texts: found } = await renderWith(target, (other) =>
          other === index ? value : toMark(other),
        );
        const text = found[at] ?? '';
        const start = parts[0]?.length ?? 0;
        const size = (text.length - parts.join('').length) / (parts.length - 1);
        const shownValue = text.slice(start, start + size);
        return { request, text, shownValue: parts.join(shownValue) === text ? shownValue : undefined };
      };
      const call = renderCall({ ...target.samples, variables: { ...target.samples.variables, [path]: '' } });
      const { status } = await tryCall(target, call);
      if (status !== 200)
        yield failed(call, `status 200 for an empty text in variables.${path}`, `status ${status}`, path);
      if (status !== 200) continue;
      const empty = await read('');
      const wanted = `an empty text for variables.${path}`;
      if (absenceWords.test(empty.shownValue ?? ''))
        yield failed(empty.request, wanted, formatValue(empty.shownValue), path);
      if (empty.shownValue !== '') continue; // a section, or a default of the template
      yield* checkEach(sent, async function* (value) {
        const { request, text, shownValue } = await read(value);
        const expected = `${formatValue(value)} for variables.${path}`;
        if (shownValue === undefined || !isShownAs(value, shownValue))
          yield failed(request, expected, formatValue(shownValue ?? text), path);
      });
    }
  };

const subject = { name: 'render', needs: ['prompt', 'variables'] } as const;

export const variableChecks = toChecks(subject, renderPromptContract.section, {
  substitutes: ['The value of each variable is put into the template.', checkSubstitution],
  'variable-order': [
    'Values are put in by name: their order, and further variables, do not matter.',
    checkOrder,
  ],
  'variable-names': ['Variable names are case-sensitive.', checkNames],
  letters: ['A text value keeps its letters and digits, and their case.', checkTexts(values.letters)],
  'long-texts': [
    'A text value of 1,000, 10,000 or 70,000 characters is put in completely.',
    checkTexts(values.longTexts),
  ],
  unicode: [
    'A text value keeps its Unicode letters, composed or not, beyond 16 bits, and from right to left.',
    checkTexts(values.unicode),
  ],
  'special-characters': [
    'A text value keeps its quotes, braces, brackets, line breaks, backslashes and replacement patterns.',
    checkTexts(values.specialTexts),
  ],
  'plain-texts': [
    'A text value stays a text, also if it is empty, has blanks at its ends, or looks like a number, a date, null or JSON.',
    checkValues(values.plainTexts),
  ],
  numbers: [
    'A number is also put into the template: 0, negative, with a fraction, large, or an integer of 64 bits.',
    checkValues(values.numbers),
  ],
  booleans: ['true and false are also put into the template.', checkValues(values.booleans)],
});

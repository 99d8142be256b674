import { maskCredential } from '../protocol/auth.ts';

/** Shorter ones are words such as "any" and "test", which guard nothing and stand in many a text. */
const minSecret = 8;

/** How much of a credential's beginning gives it away: an error may quote one cut short. */
const enough = 16;

/**
 * Hides credentials wherever they stand in a text: as they are, in a URL, in JSON. Those of fewer than 8 characters
 * are left, since a text would be none without such words.
 *
 * @param credentials the values of headers that hold one, such as `Bearer KEY` and `name=KEY; other=KEY`
 */
export const createHide = (credentials: readonly string[]): ((text: string) => string) => {
  const hides = [...new Set(credentials.flatMap(partsOf))]
    .filter((part) => part.length >= minSecret)
    .sort((a, b) => b.length - a.length) // the whole of a header goes before a part of it
    .map(hideOne);
  return (text) => hides.reduce((left, hide) => hide(left), text);
};

const partsOf = (value: string): string[] => [
  value,
  ...value.split(/[;,\s]+/).flatMap((part) => [part, part.slice(part.indexOf('=') + 1)]),
];

const hideOne = (credential: string): ((text: string) => string) => {
  const forms = Array.from(credential, formsOf);
  const head = new RegExp(
    forms
      .slice(0, enough)
      .map((each) => `(?:${each.map(toSource).join('|')})`)
      .join(''),
    'g',
  );
  return (text) => {
    let hidden = '';
    let from = 0;
    head.lastIndex = 0;
    for (let match = head.exec(text); match !== null; match = head.exec(text)) {
      hidden += text.slice(from, match.index) + maskCredential(credential);
      from = endOf(forms, text, head.lastIndex);
      head.lastIndex = from;
    }
    return from === 0 ? text : hidden + text.slice(from);
  };
};

/** Where a credential ends that has begun: as far as the text goes on as it does. */
const endOf = (forms: readonly string[][], text: string, start: number): number => {
  let at = start;
  for (const each of forms.slice(enough)) {
    const form = each.find((one) => text.startsWith(one, at));
    if (form === undefined) return at;
    at += form.length;
  }
  return at;
};

/** The ways to write one character: the longer ones first, since they may begin with a shorter one. */
const formsOf = (character: string): string[] => {
  const percent = Array.from(encoder.encode(character), (byte) => `%${toHex(byte, 2)}`).join('');
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  const unicode = units.map((unit) => `\\u${toHex(unit, 4)}`).join('');
  const json = JSON.stringify(character).slice(1, -1);
  return [
    ...new Set([unicode, toUpperHex(unicode), percent, percent.toUpperCase(), json, character]),
    ...(character === ' ' ? ['+'] : []),
  ];
};

const encoder = new TextEncoder();

const toHex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');

const toUpperHex = (unicode: string): string => unicode.toUpperCase().replaceAll('\\U', '\\u');

const toSource = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

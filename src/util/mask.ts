/** Shorter credentials are words such as "any" and "test": they protect nothing and occur in many texts. */
const minSecret = 8;

/** A match on this many leading characters counts, since an error may quote a credential cut short. */
const headLength = 16;

/** The most parts of credentials to look for, the longest first: a browser may send hundreds of cookies. */
const maxParts = 40;

/** The functions made before, by credentials: a client sends the same ones with each call. */
const made = new Map<string, (text: string) => string>();
const maxMade = 100;

/** Replaces a credential by `***`, followed by its last four characters if it has 16 or more. */
export const maskCredential = (value: string): string =>
  value.length >= 16 ? `***${value.slice(-4)}` : '***';

/**
 * Makes a function that masks credentials anywhere in a text: plain, or as encoded in a URL, in JSON or in HTML.
 * Credentials of fewer than 8 characters stay, since masking such words would make texts unreadable.
 *
 * @param credentials the values of headers that hold one, such as `Bearer KEY` and `name=KEY; other=KEY`
 */
export const createHide = (credentials: readonly string[]): ((text: string) => string) => {
  const key = JSON.stringify(credentials);
  const known = made.get(key);
  if (known !== undefined) return known;
  const parts = [...new Set(credentials.flatMap(partsOf))]
    .filter((part) => part.length >= minSecret)
    .sort((a, b) => b.length - a.length) // the whole of a header goes before a part of it
    .slice(0, maxParts);
  const hide = hideParts(parts, maskCredential);
  if (made.size >= maxMade) made.clear();
  made.set(key, hide);
  return hide;
};

const partsOf = (value: string): string[] => [
  value,
  ...value.split(/[;,\s]+/).flatMap((part) => [part, part.slice(part.indexOf('=') + 1)]),
];

/**
 * Makes a function that masks our own keys completely. Keys of fewer than 8 characters are masked only as whole words;
 * such a key with letters only, such as `any`, protects nothing and stays.
 */
export const createHideKeys = (keys: readonly (string | undefined)[]): ((text: string) => string) => {
  const longestFirst = keys
    .filter((key): key is string => key !== undefined && !/^[a-z]{0,7}$/i.test(key))
    .sort((a, b) => b.length - a.length);
  const hideLong = hideParts(
    longestFirst.filter(({ length }) => length >= minSecret),
    () => '***',
  );
  const words = longestFirst.filter(({ length }) => length < minSecret).map(toWholeWord);
  return (text) => words.reduce((left, word) => left.replace(word, '***'), hideLong(text));
};

const toWholeWord = (key: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])${toHead(Array.from(key, formsOf))}(?![\\p{L}\\p{N}])`, 'gu');

/** Searches for all credentials in one pass: a page has many texts, and a browser many cookies. */
const hideParts = (
  credentials: readonly string[],
  mask: (credential: string) => string,
): ((text: string) => string) => {
  if (credentials.length === 0) return (text) => text;
  const forms = credentials.map((credential) => Array.from(credential, formsOf));
  const heads = new RegExp(forms.map((each) => `(${toHead(each)})`).join('|'), 'g');
  return (text) => {
    let hidden = '';
    let from = 0;
    heads.lastIndex = 0;
    for (let match = heads.exec(text); match !== null; match = heads.exec(text)) {
      const index = match.slice(1).findIndex((group) => group !== undefined);
      hidden += text.slice(from, match.index) + mask(credentials[index] ?? '');
      from = endOf(forms[index] ?? [], text, heads.lastIndex);
      heads.lastIndex = from;
    }
    return from === 0 ? text : hidden + text.slice(from);
  };
};

const toHead = (forms: readonly string[][]): string =>
  forms
    .slice(0, headLength)
    .map((each) => `(?:${each.map(toSource).join('|')})`)
    .join('');

/** Where a credential ends in a text: as far as the text continues like the credential. */
const endOf = (forms: readonly string[][], text: string, start: number): number => {
  let at = start;
  for (const each of forms.slice(headLength)) {
    const form = each.find((one) => text.startsWith(one, at));
    if (form === undefined) return at;
    at += form.length;
  }
  return at;
};

/** The ways to encode one character, longer ones first, since they may begin with a shorter one. */
const formsOf = (character: string): string[] => {
  const percent = Array.from(encoder.encode(character), (byte) => `%${toHex(byte, 2)}`).join('');
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  const unicode = units.map((unit) => `\\u${toHex(unit, 4)}`).join('');
  const json = JSON.stringify(character).slice(1, -1);
  return [
    ...new Set([
      unicode,
      toUpperHex(unicode),
      percent,
      percent.toUpperCase(),
      ...entitiesOf(character),
      json,
    ]),
    ...(character === '/' ? ['\\/'] : []), // as PHP writes it in JSON
    character,
    ...(character === ' ' ? ['+'] : []),
  ];
};

const named: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

/** The ways to write it in HTML: by name or number; PHP pads the decimal number to three digits. */
const entitiesOf = (character: string): string[] => {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  const names = [`#${code}`, `#${String(code).padStart(3, '0')}`, `#x${hex}`, `#x${hex.toUpperCase()}`];
  return [...names, ...(named[character] ? [named[character]] : [])].map((name) => `&${name};`);
};

const encoder = new TextEncoder();

const toHex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');

const toUpperHex = (unicode: string): string => unicode.toUpperCase().replaceAll('\\U', '\\u');

const toSource = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

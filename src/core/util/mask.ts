import { mapValues } from './mapping.ts';

/** The place in which a name occurs. In JSON, `code` is the code of an error; in a query or a form, it may be a credential. */
type NamePlace = 'header' | 'form' | 'json';

/** Whether a header, a parameter of a query or form, or a field of JSON has a credential as its value, judged by its name. */
export type IsCredential = (name: string, place?: NamePlace) => boolean;

/** Parts of the names of credentials, in lower case and with underscores: `x_client_secret`, `access_token`, `openid_sig`. */
const nameParts = [
  ...['authorization', 'authentication', 'bearer', 'cookie', 'credential', 'dpop', 'hmac', 'jwt', 'secret'],
  ...['passcode', 'passphrase', 'passw', 'signature', 'csrf', 'xsrf', 'samlresponse'],
  ...['code_?verifier', 'client_assertion', '(?:access|api|private)_?key', 'sess(?:ion)?_?id'],
  'token(?!s|_accuracy|_count|_limit|_type|_usage)',
  // Short names count only as whole words: 'monkey' is not a key.
  '(?:^|_)(?:auth|otp|pass|pwd|sid|sig)(?:_|$)',
  '(?:^|(?<!idempotency)_)key(?:_|$)',
  '(?:^|(?<!mock)_)session(?:_key)?_?$',
  '^x_gateway_config$',
];

const credentialName = new RegExp(nameParts.join('|'));

/** Names of credentials in queries and forms only, also as `user[pin]`. */
const formName = /(?:^|[.[])(?:assertion|code|pin|state|ticket)\]?$/i;

/**
 * Creates a check for the names of credentials, in any case.
 *
 * @param more names besides the built-in names
 */
export const createIsCredential = (more: readonly string[] = []): IsCredential => {
  const names = new Set(more.map((name) => name.toLowerCase()));
  const check = (name: string): Readonly<Record<NamePlace, boolean>> => {
    const words = name.replace(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase();
    const isAdded = [name, ...name.split(/[.[\]]+/)].some((part) => names.has(part.toLowerCase()));
    const header = isAdded || credentialName.test(words.replace(/[^a-z\d]+/g, '_'));
    // The conditions of policies have a field `key`.
    return { header, form: header || formName.test(name), json: header && (isAdded || name !== 'key') };
  };
  /** Clients send few different names, and each is checked with every call. */
  const resultsByName = new Map<string, Readonly<Record<NamePlace, boolean>>>();
  return (name, place = 'header') => {
    let result = resultsByName.get(name);
    if (result === undefined) {
      result = check(name);
      if (resultsByName.size < 1000 && name.length < 100) resultsByName.set(name, result);
    }
    return result[place];
  };
};

/** Whether a name is that of a credential, without names that a user adds (`mask`). */
export const isCredentialName = createIsCredential();

/** Replaces a credential by `***`, followed by its last four characters if it has at least 16 and those four are never escaped. */
export const maskCredential = (value: string): string => {
  const last = value.slice(-4);
  return value.length >= 16 && /^[\w.~=-]+$/.test(last) ? `***${last}` : '***';
};

/** A shorter credential is masked only in its own field: elsewhere, its value may be an ordinary word. */
export const minHiddenLength = 8;

/** How many different values of a request are masked outside of their own fields. */
const maxValues = 50;

/** A parameter of a URL in a text. Its value may be a URL with a query of its own. */
const urlParameter = /[?&#][^\s=?&#"'<>]+=[^\s?&#"'<>]*(?:\?(?![^\s=?&#"'<>]+=)[^\s?&#"'<>]*)*/g;

/** The parts of JSON that masking needs: the start of a string, numbers, brackets. */
const jsonParts = /"|-?\d[\d.eE+-]*|[[\]{}]/g;
const colon = /\s*:/y;

/**
 * Masks the credentials of one request: first by the names of their fields, and then, with {@link createHide}, wherever else
 * the same values occur. The time is linear in the length of the texts. Only the names and values of forms are decoded.
 */
export class Mask {
  readonly #isCredential: IsCredential;
  readonly #values = new Set<string>();

  constructor(isCredential: IsCredential = isCredentialName) {
    this.#isCredential = isCredential;
  }

  headers(headers: Readonly<Record<string, string>>): Record<string, string> {
    return mapValues(headers, (value, name) => this.header(name, value));
  }

  header(name: string, value: string): string {
    return this.#isCredential(name, 'header') ? this.#mask(value) : this.#text(value);
  }

  /** The value of a parameter, decoded. */
  parameter(name: string, value: string): string {
    return this.#isCredential(name, 'form') ? this.#mask(value) : this.#text(value);
  }

  /** The value of a field of JSON. */
  field(name: string, value: unknown): unknown {
    if (!['string', 'number', 'bigint'].includes(typeof value)) return value;
    if (this.#isCredential(name, 'json')) return this.#mask(String(value));
    return typeof value === 'string' ? this.#text(value) : value;
  }

  /** A query or a form, as it was sent. */
  form(text: string): string {
    const mask = (pair: string): string => {
      const end = pair.indexOf('=') + 1;
      const value = decodeForm(pair.slice(end));
      const masked = this.parameter(decodeForm(pair.slice(0, Math.max(0, end - 1))), value);
      return masked === value ? pair : pair.slice(0, end) + encodeForm(masked);
    };
    return text.split('&').map(mask).join('&');
  }

  /** A body: a form, JSON, or any other text. */
  body(text: string): string {
    return /^\s*[^\s={}"?<]+=/.test(text) ? this.form(text) : this.#text(this.#json(text));
  }

  /** Returns a function that masks the values found so far, wherever they occur in a text. */
  createHide(): (text: string) => string {
    return createHideValues([...this.#values], maskCredential);
  }

  #mask(value: string): string {
    if (value === '') return '';
    this.#remember(value.replace(/^(?:bearer|basic)\s+/i, ''));
    return maskCredential(value);
  }

  #remember(value: string): void {
    if (value.length >= minHiddenLength && this.#values.size < maxValues) this.#values.add(value);
  }

  /** The parameters of URLs in a text. */
  #text(text: string): string {
    return text.replace(urlParameter, (pair) => {
      const [name = '', value = ''] = pair.slice(1).split(/=(.*)/s);
      return this.#isCredential(decodeForm(name), 'form')
        ? `${pair[0]}${name}=${this.#mask(decodeForm(value))}`
        : pair;
    });
  }

  /** The strings and numbers of fields with the name of a credential, also in lists. The fields of an object have their own names. */
  #json(text: string): string {
    let [masked, copied, isNamed] = ['', 0, false];
    const outer: boolean[] = [];
    const parts = new RegExp(jsonParts);
    for (let found = parts.exec(text); found !== null; found = parts.exec(text)) {
      const [part] = found;
      if (part === '{' || part === '[') outer.push(isNamed);
      if (part === '{') isNamed = false;
      if (part === '}' || part === ']') isNamed = outer.pop() ?? false;
      if (/[[\]{}]/.test(part)) continue;
      const isString = part === '"';
      const start = isString ? found.index + 1 : found.index;
      const end = isString ? endOfString(text, start) : parts.lastIndex;
      if (isString) parts.lastIndex = end + 1;
      const value = text.slice(start, end);
      colon.lastIndex = end + 1;
      if (isString && colon.test(text)) isNamed = this.#isCredential(value, 'json');
      else if (isNamed) {
        masked += text.slice(copied, start) + (isString ? this.#mask(value) : `"${this.#mask(value)}"`);
        copied = end;
      }
    }
    return masked + text.slice(copied);
  }
}

/** Masks the credentials in a body, or in any other text, by their names and wherever the same values occur. */
export const maskBody = (text: string, isCredential: IsCredential): string => {
  const mask = new Mask(isCredential);
  const masked = mask.body(text);
  return mask.createHide()(masked);
};

/** The place of the quote that ends a string, or the end of a text that was cut. */
const endOfString = (text: string, start: number): number => {
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '"') return at;
    if (text[at] === '\\') at += 1;
  }
  return text.length;
};

/**
 * Returns a function that masks known keys in a text, in exactly this spelling. A short word such as `any` protects nothing, so
 * it is not masked.
 */
export const createHideKeys = (keys: readonly (string | undefined)[]): ((text: string) => string) =>
  createHideValues(
    keys.filter((key): key is string => key !== undefined && !/^[a-z]{0,7}$/i.test(key)),
    () => '***',
  );

/** A longer value is searched by its start first: to search all of `aaab` in `aaaa` takes quadratic time (measured). */
const maxSearched = 200;

const createHideValues =
  (values: string[], mask: (value: string) => string) =>
  (text: string): string => {
    if (!values.some((value) => text.includes(value.slice(0, maxSearched)))) return text; // nearly always
    // The longest first: a value may contain another value.
    const masks = new Map(values.sort((a, b) => b.length - a.length).map((value) => [value, mask(value)]));
    const short = values.filter((value) => value !== '' && value.length <= maxSearched);
    const long = [...masks].filter(([{ length }]) => length > maxSearched);
    // One search for all values: 50 searches take five times as long (measured).
    const anyShort = new RegExp(short.map((value) => value.replace(/\W/g, '\\$&')).join('|') || '(?!)', 'g');
    return long
      .reduce((hidden, [value, shown]) => hideLong(hidden, value, shown), text)
      .replace(anyShort, (value) => masks.get(value) ?? '***');
  };

const hideLong = (text: string, value: string, shown: string): string => {
  const start = value.slice(0, maxSearched);
  let [hidden, copied] = ['', 0];
  let at = text.indexOf(start);
  while (at !== -1) {
    const isWhole = text.startsWith(value, at);
    if (isWhole) hidden += text.slice(copied, at) + shown;
    const end = at + (isWhole ? value.length : start.length);
    if (isWhole) copied = end;
    at = text.indexOf(start, end);
  }
  return hidden + text.slice(copied);
};

const encodeForm = (text: string): string =>
  /[^\w*.-]/.test(text) ? String(new URLSearchParams({ a: text })).slice(2) : text;

const decodeForm = (text: string): string =>
  /[%+]/.test(text) ? (new URLSearchParams(`a=${text}`).get('a') ?? text) : text;

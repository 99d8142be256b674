/** A text in which every escape is decoded, and where each of its characters came from. */
export interface Canonical {
  readonly text: string;
  /** The place in the original text where character `at` starts; for `at` = the length, the end of the original. */
  readonly originOf: (at: number) => number;
}

/** Whether a text may have escapes. */
export const hasEscapes = (text: string): boolean => /[%\\+]|&[#\w]{1,9};/.test(text);

/** The longest escape: `&#x10ffff;` */
const maxEscape = 10;

/**
 * Decodes the escapes of URLs, JSON and HTML, mixed and nested (`%2541` is `A`), in one pass; a plus sign becomes a space.
 * Characters beyond ASCII become their UTF-8 bytes, one character each, as percent-encoding has them. The result is
 * compared with other decoded texts, and never shown.
 */
export const toCanonical = (original: string): Canonical => {
  // A character takes at most 3 bytes per unit.
  const units = new Uint8Array(original.length * 3);
  const origins = new Int32Array(original.length * 3 + 1);
  /** Which units were written as an escape: such a backslash starts none with the backslash after it. */
  const decodedAt = new Uint8Array(original.length * 3 + 1);
  let length = 0;
  const pushByte = (byte: number, origin: number, isDecoded: 0 | 1): void => {
    units[length] = byte === plus ? 0x20 : byte; // however the plus sign was written
    origins[length] = origin;
    decodedAt[length] = isDecoded;
    length += 1;
  };
  const push = (code: number, origin: number, isDecoded: 0 | 1): void => {
    if (code < 0x80) pushByte(code, origin, isDecoded);
    else for (const byte of bytesOf(code)) pushByte(byte, origin, isDecoded);
  };
  for (let at = 0; at < original.length; at += 1) {
    const code = original.codePointAt(at) ?? 0;
    push(code, at, 0);
    if (code > 0xffff) at += 1;
    // What was decoded may be part of another escape, so the end of the result is looked at again.
    for (
      let found = findEscape(units, length, decodedAt);
      found !== undefined;
      found = findEscape(units, length, decodedAt)
    ) {
      const [start, decoded, isByte] = found;
      length = start;
      const origin = origins[start] ?? 0;
      if (isByte) pushByte(decoded, origin, 1);
      else push(decoded, origin, 1);
    }
  }
  // Backslashes that belong to no escape are left out: encoders differ in how many they write.
  let kept = 0;
  for (let at = 0; at < length; at += 1) {
    if (units[at] === backslash) continue;
    units[kept] = units[at] ?? 0;
    origins[kept] = origins[at] ?? 0;
    kept += 1;
  }
  length = kept;
  origins[length] = original.length;
  return { text: toText(units.subarray(0, length)), originOf: (at) => origins[at] ?? original.length };
};

/** The escape at the end of the units so far: where it starts, what it stands for, and whether that is a single byte. */
const findEscape = (
  units: Uint8Array,
  length: number,
  decodedAt: Uint8Array,
): readonly [start: number, decoded: number, isByte: boolean] | undefined => {
  const last = units[length - 1] ?? 0;
  if (last === semicolon) return findEntity(units, length);
  if (units[length - 3] === percent) {
    const byte = readHex(units, length - 2, length);
    if (byte !== undefined) return [length - 3, byte, true];
  }
  if (units[length - 2] === backslash && !(last === backslash && decodedAt[length - 2] === 1)) {
    const decoded = jsonEscapes.get(last);
    if (decoded !== undefined) return [length - 2, decoded, true];
  }
  if (units[length - 6] !== backslash || units[length - 5] !== letterU) return undefined;
  const unit = readHex(units, length - 4, length);
  if (unit === undefined) return undefined;
  const high = unit >= 0xdc00 && unit < 0xe000 ? readHighSurrogate(units, length - 6) : undefined;
  return high === undefined
    ? [length - 6, unit, false]
    : [length - 9, 0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00), false];
};

const findEntity = (units: Uint8Array, length: number): ReturnType<typeof findEscape> => {
  for (let start = length - 2; start >= 0 && start >= length - maxEscape; start -= 1) {
    if (units[start] !== ampersand) continue;
    const name = toText(units.subarray(start + 1, length - 1)).toLowerCase();
    const [, hex, decimal] = /^#(?:x([\da-f]+)|(\d+))$/.exec(name) ?? [];
    const code = hex ? Number.parseInt(hex, 16) : decimal ? Number(decimal) : entities.get(name);
    return code === undefined || code > 0x10ffff ? undefined : [start, code, false];
  }
  return undefined;
};

/** The first half of a pair of surrogates, which was written as three bytes before this place. */
const readHighSurrogate = (units: Uint8Array, end: number): number | undefined => {
  const [lead, middle = 0, low = 0] = units.subarray(Math.max(0, end - 3), end);
  return lead === 0xed && middle >= 0xa0 && middle < 0xb0
    ? 0xd000 | ((middle & 0x3f) << 6) | (low & 0x3f)
    : undefined;
};

const readHex = (units: Uint8Array, start: number, end: number): number | undefined => {
  let value = 0;
  for (let at = start; at < end; at += 1) {
    const digit = hexDigits[units[at] ?? 0] ?? -1;
    if (digit < 0) return undefined;
    value = value * 16 + digit;
  }
  return value;
};

/** The bytes of a character in UTF-8. A surrogate without its other half is encoded as three bytes. */
const bytesOf = (code: number): readonly number[] => {
  const tail = (shift: number): number => 0x80 | ((code >> shift) & 0x3f);
  if (code < 0x80) return [code];
  if (code < 0x800) return [0xc0 | (code >> 6), tail(0)];
  if (code < 0x10000) return [0xe0 | (code >> 12), tail(6), tail(0)];
  return [0xf0 | (code >> 18), tail(12), tail(6), tail(0)];
};

const toText = (units: Uint8Array): string => {
  let text = '';
  for (let at = 0; at < units.length; at += chunk)
    text += Reflect.apply(String.fromCharCode, null, units.subarray(at, at + chunk)); // a spread takes far longer
  return text;
};

const chunk = 8192;

const codeOf = (character: string): number => character.charCodeAt(0);

const [percent, backslash, ampersand, semicolon, letterU, plus] = Array.from('%\\&;u+', codeOf);

const hexDigits = Array.from({ length: 256 }, (_, code) =>
  /[\da-f]/i.test(String.fromCharCode(code)) ? Number.parseInt(String.fromCharCode(code), 16) : -1,
);

const jsonEscapes = new Map(
  Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }).map(
    ([name, character]) => [codeOf(name), codeOf(character)],
  ),
);

const entities = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }).map(([name, character]) => [
    name,
    codeOf(character),
  ]),
);

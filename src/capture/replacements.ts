/** The known prefixes of ids. Any other prefix may be a name, and is replaced. */
const knownPrefix = /^(run|thread|asst|batch|file|ftjob|ftckpt|call|prompt|pp|step|msg|vs|req)[_-]/;

const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;
const email = /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>".]+$/;

/** Finds the words of a text that may be ids: with a known prefix, UUIDs and email addresses. */
const idsWithin =
  /[^\s@<>"',;:()[\]{}]{1,64}@[^\s@<>"',;:()[\]{}]+|(?<![\p{L}\p{N}])[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}(?![\p{L}\p{N}])|[\p{L}\p{M}\p{N}_-]+/giu;

/** Replacements for the texts of an account. They are numbered by first appearance, so that the same account gives the same file. */
export interface Replacements {
  /** Replaces an id. @param prefix the prefix of an id without a known one */
  readonly id: (given: string, prefix: string) => string;
  /** Replaces a name, such as that of a function. */
  readonly name: (given: string, kind: string) => string;
  /** Replaces any other text with one of the same length and line breaks, which contains the replaced ids. */
  readonly text: (given: string) => string;
  /** Replaces only the ids and addresses in a text, such as the key of a metadata pair. */
  readonly idsIn: (given: string) => string;
  /** The number of different texts that were replaced. */
  readonly count: () => number;
}

const isWord = /^[\p{L}\p{M}\p{N}_-]+$/u;

const filler = ' lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor';

const isSurelyId = (word: string): boolean =>
  (isWord.test(word) && knownPrefix.test(word) && /\d|[A-Z]/.test(word)) ||
  uuid.test(word) ||
  email.test(word);

/** Creates replacements: equal texts get equal replacements, and different ids different ones. */
export const createReplacements = (): Replacements => {
  const ids = new Map<string, string>();
  /** Ids of more than one word, which `idsWithin` does not find. */
  const oddIds: string[] = [];
  const texts = new Map<string, string>();
  const counts = new Map<string, number>();
  const next = (kind: string): number => {
    const number = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, number);
    return number;
  };

  const id = (given: string, prefix: string): string => {
    const key = uuid.test(given) ? given.toLowerCase() : given;
    const known = ids.get(key);
    if (known !== undefined || given === '') return known ?? given;
    const made = makeId(given, prefix, next);
    ids.set(key, made);
    if (!isWord.test(given)) oddIds.push(given);
    return made;
  };
  const replaceWord = (word: string): string =>
    ids.get(uuid.test(word) ? word.toLowerCase() : word) ?? (isSurelyId(word) ? id(word, 'id_') : word);
  const idsIn = (given: string): string => {
    const odd = oddIds.find((one) => given.includes(one));
    if (odd === undefined) return given.replace(idsWithin, replaceWord);
    return given.split(odd).map(idsIn).join(ids.get(odd));
  };
  const listIdsIn = (given: string): string[] => {
    const odd = oddIds.find((one) => given.includes(one));
    if (odd !== undefined) return [ids.get(odd) ?? '', ...given.split(odd).flatMap(listIdsIn)];
    return (given.match(idsWithin) ?? []).filter((word) => replaceWord(word) !== word).map(replaceWord);
  };
  const text = (given: string): string => {
    if (given.trim() === '') return given;
    if (ids.has(given) || isSurelyId(given)) return id(given, 'id_');
    const known = texts.get(given);
    if (known !== undefined) return known;
    const made = fill(`text ${pad(next('text'))}`, given, listIdsIn(given));
    texts.set(given, made);
    return made;
  };
  return {
    id,
    name: (given, kind) => id(given, `${kind}_`),
    text,
    idsIn,
    count: () => ids.size + texts.size,
  };
};

const pad = (number: number): string => String(number).padStart(4, '0');

const makeId = (given: string, prefix: string, next: (kind: string) => number): string => {
  if (uuid.test(given)) return `00000000-0000-4000-8000-${String(next('uuid')).padStart(12, '0')}`;
  if (email.test(given)) return `user${pad(next('user'))}@example.com`;
  const own = knownPrefix.exec(given)?.[0] ?? prefix;
  return `${own}${pad(next(own))}`;
};

/** A text of the same length as another: a name, then its ids, then filler. */
const fill = (name: string, given: string, ids: readonly string[]): string => {
  const start = [name, ...new Set(ids)].join(' ');
  const length = Math.max([...given].length, start.length);
  const long = (start + filler.repeat(Math.ceil(Math.max(0, length - start.length) / filler.length))).slice(
    0,
    length,
  );
  const lines = [...given].flatMap((character, at) => (character === '\n' && at > start.length ? [at] : []));
  const characters = [...long];
  for (const at of lines) characters[at] = '\n';
  return characters.join('').replace(/ $/, '.');
};

/** The known prefixes of ids. Any other prefix may be a name, and is replaced. */
const knownPrefix = /^(run|thread|asst|batch|file|ftjob|ftckpt|call|prompt|pp|step|msg|vs|req)[_-]/;

const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;
const email = /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>".]+$/;
const word = /^[\p{L}\p{M}\p{N}_-]+$/u;

/** Finds the words of a text that may be ids: with a known prefix, UUIDs and email addresses. */
const idsWithin =
  /[^\s@<>"',;:()[\]{}]{1,64}@[^\s@<>"',;:()[\]{}]+|(?<![\p{L}\p{N}])[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}(?![\p{L}\p{N}])|[\p{L}\p{M}\p{N}_-]+/giu;

const isSurelyId = (text: string): boolean =>
  (word.test(text) && knownPrefix.test(text) && /\d|[A-Z]/.test(text)) || uuid.test(text) || email.test(text);

const toKey = (id: string): string => (uuid.test(id) ? id.toLowerCase() : id);

export type Replacements = ReturnType<typeof createReplacements>;

/**
 * Creates replacements for the texts of an account: equal texts get equal replacements, different ids get different ones. They
 * are numbered by first appearance, so that the same account gives the same file.
 */
export const createReplacements = () => {
  const ids = new Map<string, string>();
  const idsOfSeveralWords: string[] = [];
  const texts = new Map<string, string>();
  const counts = new Map<string, number>();
  const number = (kind: string, length = 4): string => {
    const next = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, next);
    return String(next).padStart(length, '0');
  };
  const makeId = (original: string, prefix: string): string => {
    if (uuid.test(original)) return `00000000-0000-4000-8000-${number('uuid', 12)}`;
    if (email.test(original)) return `user${number('user')}@example.com`;
    const own = knownPrefix.exec(original)?.[0] ?? prefix;
    return `${own}${number(own)}`;
  };
  const id = (original: string, prefix: string): string => {
    const replacement = original === '' ? '' : ids.get(toKey(original));
    if (replacement !== undefined) return replacement;
    const created = makeId(original, prefix);
    ids.set(toKey(original), created);
    if (!word.test(original) && !email.test(original)) idsOfSeveralWords.push(original);
    return created;
  };
  /** Replaces the ids in a text, and adds their replacements to a list. */
  const replaceIds = (original: string, replacements: string[]): string => {
    const several = idsOfSeveralWords.find((id) => original.includes(id));
    if (several !== undefined) {
      replacements.push(id(several, ''));
      const parts = original.split(several).map((part) => replaceIds(part, replacements));
      return parts.join(id(several, ''));
    }
    return original.replace(idsWithin, (found) => {
      if (!ids.has(toKey(found)) && !isSurelyId(found)) return found;
      replacements.push(id(found, 'id_'));
      return id(found, 'id_');
    });
  };
  const text = (original: string): string => {
    if (original.trim() === '') return original;
    if (ids.has(original) || isSurelyId(original)) return id(original, 'id_');
    const replacements: string[] = [];
    if (!texts.has(original)) {
      replaceIds(original, replacements);
      texts.set(original, fill(['text', number('text'), ...new Set(replacements)].join(' '), original));
    }
    return texts.get(original) ?? '';
  };
  return {
    /** Replaces an id or a name. The prefix is for an id without a known prefix. */
    id,
    /** Replaces any other text with a text of the same length and line breaks, which contains the replaced ids. */
    text,
    /** Replaces only the ids and addresses in a text, such as the key of a metadata pair. */
    idsIn: (original: string): string => replaceIds(original, []),
    /** Forgets the texts, but not the ids. */
    forgetTexts: (): void => {
      texts.clear();
      counts.delete('text');
    },
    /** The number of different texts that were replaced. */
    count: (): number => ids.size + texts.size,
  };
};

const filler = ' lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor';

/** A text that begins with `start`, and has the length and line breaks of another text. */
const fill = (start: string, original: string): string => {
  const old = [...original];
  const length = Math.max(old.length, start.length);
  const letters = [...(start + filler.repeat(Math.ceil(length / filler.length)))].slice(0, length);
  for (const [at, letter] of old.entries()) if (letter === '\n' && at > start.length) letters[at] = '\n';
  return letters.join('').replace(/ $/, '.');
};

import { truncate } from './truncate.ts';

/** Writes a path for messages: `messages[0].content`. Long keys are cut. */
export const toPathText = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    const name = truncate(String(key));
    return text === '' ? name : `${text}.${name}`;
  }, '');

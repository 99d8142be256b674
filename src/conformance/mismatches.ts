import type * as z from 'zod';
import { toPathText } from '../protocol/path-text.ts';
import { broken, type Finding, show } from './law.ts';

/** Where a value leaves a schema, with what stands there. */
export function* findMismatches(
  schema: z.ZodType,
  value: unknown,
  asked: string,
  prefix = '',
): Generator<Finding> {
  for (const { path, message } of schema.safeParse(value).error?.issues ?? []) {
    const found = path.reduce<unknown>((inner, key) => Object(inner)[key], value);
    const place = `${prefix}${toPathText(path)}` || 'the reply';
    const expected = `${place}: ${message.replace(/^Invalid \w+: /, '')}`;
    const about = expected.replace(/\[\d+\]/g, '[]').replace(/, received .*$/, '');
    yield broken(asked, expected, `${place} is ${show(found)}`, about);
  }
}

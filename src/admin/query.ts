import type * as z from 'zod';

/** Values as the query of a call: what is nested has dotted names, `params.thread_id=thread_demo`. */
export const toQueryText = (input: object): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined) continue;
    if (typeof value !== 'object' || value === null) query.set(name, String(value));
    else for (const [inner, text] of Object.entries(value)) query.set(`${name}.${inner}`, String(text));
  }
  return query.toString();
};

/** The values of a query again: each a text, or, where the schema wants no text there, what that text is as JSON. */
export const fromQueryText = (text: string, schema: z.ZodType): Record<string, unknown> => {
  const input = new Map<string, unknown>();
  for (const [name, value] of new URLSearchParams(text)) {
    const dot = name.indexOf('.');
    const [key = '', inner] = dot === -1 ? [name] : [name.slice(0, dot), name.slice(dot + 1)];
    const nested = new Map(Object.entries(Object(input.get(key))));
    if (inner === undefined ? input.has(key) : nested.has(inner))
      throw new Error(`The query has ${name} twice.`);
    input.set(key, inner === undefined ? value : Object.fromEntries(nested.set(inner, value)));
  }
  if (input.has('__proto__')) throw new Error('The query has no __proto__.'); // which zod leaves out in silence
  const issues = schema.safeParse(Object.fromEntries(input)).error?.issues ?? [];
  for (const { path } of issues) {
    const value = input.get(String(path[0]));
    if (path.length === 1 && typeof value === 'string') input.set(String(path[0]), asJson(value));
  }
  return Object.fromEntries(input);
};

const asJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

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
  const input: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const dot = name.indexOf('.');
    if (dot === -1) input[name] = value;
    else input[name.slice(0, dot)] = { ...Object(input[name.slice(0, dot)]), [name.slice(dot + 1)]: value };
  }
  const issues = schema.safeParse(input).error?.issues ?? [];
  for (const { path } of issues) {
    const [name] = path;
    if (path.length === 1 && typeof input[String(name)] === 'string')
      input[String(name)] = asJson(String(input[String(name)]));
  }
  return input;
};

const asJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

import * as z from 'zod';
import { isSamePath, paramsIn } from '../../core/protocol/paths.ts';
import type { OwnDefinition } from '../gateway/gateway-parts.ts';
import type { CallSchema, DefinedCall } from '../gateway/own-calls.ts';

/** The OpenAPI document with a user's own calls, as far as their definitions describe them. */
export const addCalls = (text: string, definitions: readonly OwnDefinition[]): string => {
  const calls = definitions.filter((definition) => 'handle' in definition);
  if (calls.length === 0) return text;
  const document = JSON.parse(text);
  document.tags.push({ name: 'Own calls', description: 'Calls that the contract does not have.' });
  for (const call of calls) {
    // A path has one entry, whatever its parameters are called.
    const path = Object.keys(document.paths).find((template) => isSamePath(template, call.path)) ?? call.path;
    document.paths[path] ??= {};
    document.paths[path][call.method.toLowerCase()] = toOperation({ ...call, path });
  }
  return `${JSON.stringify(document, null, 2)}\n`;
};

export const toSecurity = (virtualKey: boolean): object[] => [
  virtualKey ? { apiKey: [], virtualKey: [] } : { apiKey: [] },
];

const anyObject = { 'application/json': { schema: { type: 'object' } } };

/** The JSON Schema of a schema of zod 4; for other schemas, any object. */
const toContent = (schema: CallSchema | undefined, io: 'input' | 'output') => {
  try {
    if (schema === undefined) return anyObject;
    const { $schema: _, ...shown } = z.toJSONSchema(schema as z.ZodType, { io, unrepresentable: 'any' });
    return { 'application/json': { schema: shown } };
  } catch {
    return anyObject;
  }
};

const toOperation = ({ id, path, method, summary = id, virtualKey = false, body, reply }: DefinedCall) => ({
  operationId: id,
  summary,
  tags: ['Own calls'],
  'x-assumptions': ['own-call'],
  security: toSecurity(virtualKey),
  parameters: paramsIn(path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  })),
  ...(method !== 'GET' && { requestBody: { content: toContent(body, 'input') } }),
  responses: { 200: { description: 'What its definition returns.', content: toContent(reply, 'output') } },
});

import { isSamePath, paramsIn } from '../../core/protocol/paths.ts';
import type { DefinedCall } from '../gateway/own-calls.ts';

/** The OpenAPI document with a user's own calls: what their definitions state, since their replies have no schema. */
export const addCalls = (text: string, calls: readonly DefinedCall[]): string => {
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

const toOperation = ({ id, path, method, summary = id, virtualKey = false }: DefinedCall) => ({
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
  ...(method !== 'GET' && { requestBody: { content: anyObject } }),
  responses: { 200: { description: 'What its definition returns.', content: anyObject } },
});

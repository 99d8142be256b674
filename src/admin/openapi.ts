import * as z from 'zod';
import { allCommands } from '../control/control.ts';
import { newWorldHeader, worldHeader } from '../protocol/world-headers.ts';
import { kinds } from '../scenario/schema.ts';
import { filePath } from './scenario-file.ts';

/** The admin API as an OpenAPI 3.1 document, made of its own routes. */
export const adminOpenapi = (version: string): object => ({
  openapi: '3.1.0',
  info: {
    title: 'gateway-mock admin API',
    version,
    description:
      'Controls one session of a running gateway-mock: the default one, or the one named in the path (/sessions/NAME/__admin) or the header x-mock-session. The records, clock, faults and journal of a session are its world. The input of a GET can also be one JSON object: ?json={…}. If x-mock-world changes between two replies, the first world is lost, for example because the server was restarted. A call with the header x-mock-world is answered only by that world, and never begins a session.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [
    { url: '/__admin', description: 'The default session.' },
    {
      url: '/sessions/{session}/__admin',
      description: 'Another session.',
      variables: { session: { default: 'default', description: 'Its name.' } },
    },
  ],
  security: [{}, { token: [] }],
  paths: toPaths(),
  components: {
    securitySchemes: {
      token: {
        type: 'http',
        scheme: 'bearer',
        description: 'Required if the server was started with an admin token.',
      },
    },
    headers: {
      World: {
        description:
          'The id of the world that answered, 12 hex digits. It stays the same after a reset or a load, and changes if the session is created again or the server is restarted.',
        schema: { type: 'string', pattern: '^[0-9a-f]{12}$' },
      },
      NewWorld: { description: 'Present if this call created the world.', schema: { const: 'yes' } },
    },
    schemas: {
      Error: {
        type: 'object',
        required: ['message', 'error'],
        properties: {
          message: { type: 'string' },
          error: { type: 'object', properties: { message: { type: 'string' } } },
          mistakes: {
            type: 'array',
            description: 'The mistakes in a scenario, each with its path.',
            items: { type: 'object', properties: { path: { type: 'array' }, message: { type: 'string' } } },
          },
        },
      },
      ...recordSchemas(),
    },
  },
});

/** What may be given of a record by hand, kind by kind: none of it is required, since the rest is seeded or stays. */
const recordSchemas = (): Record<string, object> =>
  Object.fromEntries(
    kinds.map(({ plural, fields }) => {
      const { required: _, ...schema } = inputSchema(fields);
      return [plural, withoutMeta(schema)];
    }),
  );

const toPaths = (): Record<string, Record<string, object>> => {
  const paths: Record<string, Record<string, object>> = {
    '/health': {
      get: toOperation(
        'health',
        'Returns the status of the server, and what it serves. Without a token that is required, only the status.',
        [],
        undefined,
        'application/json',
      ),
    },
    '/metrics': {
      get: toOperation(
        'metrics',
        'Returns the metrics of the server and its process, in the text format of Prometheus.',
        [],
        undefined,
        'text/plain',
      ),
    },
    '/events': {
      get: toOperation(
        'events',
        'Streams server-sent events, each with the name of its session. Event types: "request" for each request, without bodies, "change" for each change of the world, and "world" if the world is created, deleted, reloaded or removed.',
        [
          {
            name: 'sessions',
            in: 'query',
            description: 'Send the events of all sessions.',
            schema: { const: 'all' },
          },
        ],
        undefined,
        'text/event-stream',
      ),
    },
    [filePath]: {
      get: toOperation(
        'state.readFile',
        'Returns the current state as a scenario file: JSON if the name of the file ends in .json, otherwise YAML.',
        pathParameters(filePath),
        undefined,
        'application/yaml',
      ),
      put: {
        ...toOperation(
          'state.loadFile',
          'Restarts the world from the text of a scenario file, YAML or JSON. The scenario gets the name of the file, without its ending.',
          pathParameters(filePath),
          undefined,
          'application/json',
        ),
        requestBody: {
          required: true,
          content: { 'application/yaml': { schema: { type: 'string' } }, 'application/json': {} },
        },
      },
    },
  };
  for (const { name, method, path, summary, schema, shape } of allCommands) {
    const isGet = method === 'GET';
    const input = inputSchema(schema());
    const { args } = shape();
    const operation = toOperation(
      name,
      summary,
      [...pathParameters(path), ...(isGet ? queryParameters(input) : [])],
      isGet ? undefined : input,
      'application/json',
      args.some(({ place, isOptional }) => place === 'merged' && !isOptional),
    );
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  }
  return paths;
};

interface InputSchema {
  readonly properties?: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
}

const inputSchema = (input: z.ZodType): InputSchema =>
  z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as InputSchema; // each input is an object

const pathParameters = (path: string): object[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));

/** What is nested has dotted names: `params.thread_id`. */
const queryParameters = ({ properties = {} }: InputSchema): object[] =>
  Object.entries(properties).map(([name, { ...schema }]) =>
    'additionalProperties' in schema
      ? { name: `${name}.NAME`, in: 'query', schema: { type: 'string' } }
      : { name, in: 'query', schema },
  );

const toOperation = (
  operationId: string,
  summary: string,
  parameters: readonly object[],
  body: InputSchema | undefined,
  type: string,
  needsBody = false,
): object => ({
  operationId,
  summary,
  ...(parameters.length > 0 && { parameters }),
  ...(body !== undefined &&
    (needsBody || Object.keys(body.properties ?? {}).length > 0) && {
      requestBody: {
        required: needsBody || (body.required ?? []).length > 0,
        content: { 'application/json': { schema: withoutMeta(body) } },
      },
    }),
  responses: {
    200: {
      description: 'The call succeeded. The body is its result.',
      headers,
      content: { [type]: { schema: {} } },
    },
    204: { description: 'The call succeeded. It has no result.', headers },
    410: {
      description:
        'The session was removed because there were too many. Create it again with sessions.create.',
      content: errorContent,
    },
    412: {
      description:
        'The request has the header x-mock-world, but the session has another world or none. Nothing was done.',
      headers,
      content: errorContent,
    },
    '4XX': { description: 'The call failed. `message` says why.', headers, content: errorContent },
  },
});

const headers = {
  [worldHeader]: { $ref: '#/components/headers/World' },
  [newWorldHeader]: { $ref: '#/components/headers/NewWorld' },
};

const errorContent = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };

const withoutMeta = ({ $schema: _, ...schema }: InputSchema & { readonly $schema?: string }): object =>
  schema;

import * as z from 'zod';
import { kinds } from '../../core/scenario/scenario-schema.ts';
import { allCommands } from '../control/control.ts';
import { errorBody, openapiHead } from '../openapi/schemas.ts';
import { furtherRoutes } from './further-routes.ts';
import { pathOf } from './show-call.ts';

/** The admin API as an OpenAPI 3.1 document, written by the build. */
export const adminOpenapi = (): object => ({
  ...openapiHead(
    'gateway-mock admin API',
    'Controls one session of a running gateway-mock: the default session, or the session named in the path (/sessions/NAME/__admin) or the header x-mock-session. The records, clock, faults and journal of a session are its world. A POST takes a JSON object, or a JSON array with the arguments of the method by position. Methods that only read take a GET as well. Each reply names its world in the header x-mock-world, and has x-mock-world-new: yes if the call created it. If x-mock-world changes between two replies, the first world is lost, for example because the server was restarted. A call with the header x-mock-world is answered only by that world, and never begins a session.',
  ),
  servers: [
    { url: '/__admin', description: 'The default session.' },
    {
      url: '/sessions/{session}/__admin',
      description: 'Another session.',
      variables: { session: { default: 'default', description: 'Its name.' } },
    },
  ],
  tags: toTags(),
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
    schemas: {
      Error: inputSchema(adminError),
      ...Object.fromEntries(kinds.map(({ plural, fields }) => [plural, toWritable(inputSchema(fields))])),
    },
    responses: {
      Refused: {
        description:
          'The call failed, and nothing was done. `message` says why. 410: the session was removed; create it again with sessions.create. 412: the session does not have the world that the header x-mock-world names.',
        content: {
          'application/json': { schema: { $ref: '#/components/schemas/Error' } },
        },
      },
    },
  },
});

/** The body of every error: as from the gateway, and for a scenario each error with its path. */
const adminError = errorBody.extend({
  errors: z
    .array(z.object({ path: z.array(z.union([z.string(), z.int()])), message: z.string() }))
    .exactOptional(),
});

/**
 * The schema of the fields of a record that a user may write. None is required: the others are seeded, or stay as they are. The
 * server checks that a new prompt has messages or versions.
 */
const toWritable = (schema: InputSchema): object => ({
  ...schema,
  required: undefined,
  ...(schema.anyOf && { anyOf: schema.anyOf.map(toWritable) }),
});

/** The group of a command, such as `clock`: the first part of its name. */
const groupOf = (name: string): string => name.split('.')[0] ?? name;

const server = 'server';

const toTags = (): object[] => [
  ...[...new Set(allCommands.map(({ name }) => groupOf(name)))].map((name) => ({
    name,
    description: `The methods of control.${name}.`,
  })),
  { name: server, description: 'Calls that are no method of the control.' },
];

const toPaths = (): Record<string, object> => {
  const paths: Record<string, object> = {};
  for (const command of allCommands) {
    const { name, summary, isChange, example } = command;
    const input = inputSchema(command.schema());
    const content = { 'application/json': { schema: input, example } };
    const requestBody = { required: (input.required ?? []).length > 0, content };
    const parameters = queryParameters(input);
    const tags = [groupOf(name)];
    paths[pathOf(command)] = {
      ...(!isChange && {
        get: { operationId: `${name}.get`, summary, tags, parameters, ...responses('application/json') },
      }),
      post: { operationId: name, summary, tags, requestBody, ...responses('application/json') },
    };
  }
  for (const [path, { method, summary, type, query }] of Object.entries(furtherRoutes)) {
    const parameters = queryParameters(inputSchema(query()));
    const requestBody = { required: true, content: { 'application/yaml': {}, 'application/json': {} } };
    const operationId = path.slice(1).replaceAll('/', '.') || 'commands';
    const operation = { operationId, summary, tags: [server], parameters, ...responses(type) };
    paths[path] = { [method.toLowerCase()]: method === 'GET' ? operation : { ...operation, requestBody } };
  }
  return paths;
};

interface InputSchema {
  readonly properties?: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly InputSchema[];
}

const inputSchema = (input: z.ZodType): InputSchema => {
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return { ...schema, $schema: undefined } as InputSchema; // the schema of each input is that of an object
};

/** Nested values can be sent by POST only. */
const queryParameters = ({ properties = {}, required: names = [] }: InputSchema): object[] =>
  Object.entries(properties).flatMap(([name, schema]) =>
    'additionalProperties' in schema || 'items' in schema
      ? []
      : [{ name, in: 'query', required: names.includes(name), schema }],
  );

const responses = (type: string) => ({
  responses: {
    200: {
      description: 'The call succeeded. The body is its result, or null if it has none.',
      content: { [type]: { schema: {} } },
    },
    '4XX': { $ref: '#/components/responses/Refused' },
  },
});

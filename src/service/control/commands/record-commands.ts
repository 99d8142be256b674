import * as z from 'zod';
import { batchStates, runStates } from '../../../core/assumptions/record-states.ts';
import { policies } from '../../../core/operations/get-rate-limits-policy/record.ts';
import { batches } from '../../../core/operations/list-batches/record.ts';
import { checkpoints, jobs } from '../../../core/operations/list-checkpoints/record.ts';
import { runs, threads } from '../../../core/operations/list-runs/record.ts';
import { describePrompt } from '../../../core/operations/render-prompt/describe-prompt.ts';
import { previewPrompt } from '../../../core/operations/render-prompt/handler.ts';
import { prompts } from '../../../core/operations/render-prompt/record.ts';
import { limits } from '../../../core/util/limits.ts';
import type { Kind, Resource } from '../../../core/world/kind.ts';
import { endingShape, recordIdSchema } from '../../../core/world/record-schema.ts';
import { anyObject, type CommandsOf, change, command, listCommands, type NamedCommand } from '../command.ts';
import type { Control, RecordMethods, StatusMethods } from '../control-interface.ts';
import type { Session } from '../session.ts';
import { findEntries, listRecords } from './record-lists.ts';
import { createRecord, fail, setStatus, updateRecords } from './record-writes.ts';

/** The commands of one kind of record. Times are in seconds since 1970. */
const commandsOf = <Value extends Resource>(kind: Kind<Value>) =>
  ({
    create: change({
      summary: 'Creates a record: the seed fills in the fields that you leave out.',
      args: ['fields'],
      input: () => z.strictObject({ fields: anyObject(toRef(kind)) }),
      example: { fields: kind.owner ? { [kind.owner.field]: demoIds[kind.owner.kind] } : {} },
      run: ({ session }, { fields }): Value => createRecord(kind, session, fields),
    }),
    update: change({
      summary: 'Changes fields of a record.',
      args: ['id', 'fields'],
      input: () => z.strictObject({ id: recordIdSchema, fields: anyObject(toRef(kind)) }),
      example: { ...idOf(kind), fields: {} },
      run: ({ session }, { id, fields }): Value => updateRecords(kind, session, [id], fields)[0] as Value, // of one id
    }),
    updateMany: change({
      summary: 'Changes the same fields of several records, as one change.',
      args: ['ids', 'fields'],
      input: () => z.strictObject({ ids: idsSchema(), fields: anyObject(toRef(kind)) }),
      example: { ids: [idOf(kind).id], fields: {} },
      run: ({ session }, { ids, fields }): Value[] => updateRecords(kind, session, ids, fields),
    }),
    delete: change({
      summary: 'Deletes a record.',
      ...ofRecord(kind),
      run: ({ session }, { id }) => deleteRecords(kind, session, [id]),
    }),
    deleteMany: change({
      summary: 'Deletes several records, as one change.',
      args: ['ids'],
      input: () => z.strictObject({ ids: idsSchema() }),
      example: { ids: [idOf(kind).id] },
      run: ({ session }, { ids }) => deleteRecords(kind, session, ids),
    }),
    get: command({
      summary: 'Returns a record as it is now; undefined (over HTTP: null) if there is none.',
      ...ofRecord(kind),
      run: ({ session }, { id }): Value | undefined =>
        structuredClone(session.state.world.listWith(kind, id)?.get(id)),
    }),
    list: command({
      summary: 'Lists the records that match, newest first.',
      input: () =>
        z.strictObject({
          order: z.enum(['asc', 'desc']).exactOptional(),
          limit: z.int().min(0).max(limits.listed).exactOptional(),
          after: z.string().exactOptional(),
          offset: z.int().min(0).exactOptional(),
          ...filtersOf(kind),
        }),
      example: { limit: 10 },
      run: ({ session }, query): Value[] => listRecords(kind, session.state.world, query),
    }),
    count: command({
      summary: 'Counts the records that match.',
      input: () => z.strictObject(filtersOf(kind)),
      run: ({ session }, query) => findEntries('count', kind, session.state.world, query).length,
    }),
  }) satisfies CommandsOf<RecordMethods<Value>>;

const statusCommandsOf = <Value extends Resource, State extends string>(
  kind: Kind<Value>,
  states: readonly [State, ...State[]],
) =>
  ({
    create: change({
      ...commandsOf(kind).create,
      input: () => z.strictObject({ fields: anyObject(toRef(kind)), ...endingShape(states) }),
      run: ({ session }, { fields, ...ending }): Value => createRecord(kind, session, fields, ending),
    }),
    setStatus: change({
      summary:
        "Sets the status of a record, and all fields that it implies, such as `completed_at`, at the clock's time.",
      args: ['id', 'status'],
      input: () => z.strictObject({ id: recordIdSchema, status: z.enum(states), ...endingShape(states) }),
      example: { ...idOf(kind), status: states[1] },
      run: ({ session }, { id, status, ...ending }): Value => setStatus(kind, session, id, status, ending),
    }),
    setStatusMany: change({
      summary: 'Sets the status of several records, as one change.',
      args: ['ids', 'status'],
      input: () => z.strictObject({ ids: idsSchema(), status: z.enum(states) }),
      example: { ids: [idOf(kind).id], status: states[1] },
      run: ({ session }, { ids, status }): Value[] => {
        requireAll('set the status of', kind, session, ids);
        return ids.map((id) => setStatus(kind, session, id, status, {}));
      },
    }),
  }) satisfies CommandsOf<StatusMethods<Value, State> & Pick<RecordMethods<Value>, 'create'>>;

const deleteRecords = (kind: Kind, session: Session, ids: readonly string[]): void => {
  requireAll('delete', kind, session, ids);
  session.state.world.remove(kind, new Set(ids));
};

const requireAll = (action: string, kind: Kind, { state }: Session, ids: readonly string[]): void => {
  for (const id of ids)
    if (state.world.listWith(kind, id) === undefined) fail(action, kind, id, 'no such record');
};

const idsSchema = () => z.array(recordIdSchema).max(limits.listed);

/** Ids for the examples: those of the shipped scenarios, where these are always the same. */
const demoIds: Readonly<Record<string, string>> = {
  thread: 'thread_demo',
  job: 'ftjob_demo',
  prompt: 'prompt_welcome',
  policy: '11111111-1111-4111-8111-111111111111',
};
const idOf = ({ name }: Kind) => ({ id: demoIds[name] ?? `${name}_1` });

/** The input of a command about one record. */
const ofRecord = (kind: Kind) => ({
  args: ['id'],
  input: () => z.strictObject({ id: recordIdSchema }),
  example: idOf(kind),
});

/** The input that selects records of a kind. Not all kinds have a status or an owner. */
const filtersOf = (kind: Kind) => {
  const text = z.string().exactOptional();
  const names = ['search', ...(kind.columns.includes('status') ? ['status'] : []), kind.owner?.field ?? []];
  // A query may have only the keys that fit the kind.
  return Object.fromEntries(names.flat().map((name) => [name, text])) as Record<
    'search' | 'status',
    typeof text
  >;
};

export const recordsCommands = {
  threads: commandsOf(threads),
  runs: { ...commandsOf(runs), ...statusCommandsOf(runs, runStates) },
  batches: { ...commandsOf(batches), ...statusCommandsOf(batches, batchStates) },
  jobs: commandsOf(jobs),
  checkpoints: commandsOf(checkpoints),
  policies: commandsOf(policies),
  prompts: {
    ...commandsOf(prompts),
    create: change({
      ...commandsOf(prompts).create,
      example: { fields: { messages: [{ role: 'user', content: 'Hello {{name}}' }] } }, // a prompt needs messages
    }),
    render: command({
      summary: 'Renders a prompt without a call: its messages, and the variables that are missing.',
      args: ['id', 'variables'],
      input: () => z.strictObject({ id: z.string(), variables: variables().exactOptional() }),
      example: { id: 'prompt_welcome', variables: { name: 'Ada' } },
      allowsAnyKey: true,
      run: ({ session }, { id, variables = {} }) =>
        previewPrompt(id, variables, session.state.world) ?? fail('render', prompts, id, 'no such prompt'),
    }),
    describe: command({
      summary:
        'Describes a prompt: its variables, partials and versions, an example of variables, and what is probably a slip.',
      args: ['id'],
      input: () => z.strictObject({ id: z.string() }),
      example: { id: 'prompt_welcome' },
      run: ({ session }, { id }) =>
        describePrompt(id, session.state.world) ?? fail('describe', prompts, id, 'no such prompt'),
    }),
  },
} satisfies CommandsOf<Omit<Control['records'], 'own'>>;

/** The commands of the records of a user's own kinds. */
export const listOwnCommands = (kinds: readonly Kind[]): NamedCommand[] =>
  listCommands(Object.fromEntries(kinds.map((kind) => [kind.plural, commandsOf(kind)])), 'records.own.');

/** The variables that a template may name. A schema of an object would leave out the key `__proto__`. */
const variables = (): z.ZodType<object> =>
  z
    .unknown()
    .refine((fields) => z.looseObject({}).safeParse(fields).success, 'not an object')
    .transform((fields) => Object(fields) as object)
    .meta({ type: 'object' });

const toRef = ({ plural }: Kind): string => `#/components/schemas/${plural}`;

/** The methods of one kind by its name, such as `threads`. */
export const methodsOf = (records: Control['records'], kind: string): RecordMethods =>
  Reflect.get(records, kind) as RecordMethods; // each kind checks its input

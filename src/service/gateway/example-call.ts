import type { ContractOperation, ExampleDocs, PathParamDocs } from '../../core/operations/operation.ts';
import { methodsOf } from '../control/commands/record-commands.ts';
import type { Control } from '../control/control-interface.ts';

/** A call that an operation answers with 200. */
export interface ExampleCall extends ExampleDocs {
  readonly params: Readonly<Record<string, string>>;
}

/** The example call of an operation, with ids of existing records; undefined if there are none. */
export const findExampleCall = async (
  operation: ContractOperation,
  records: Control['records'],
): Promise<ExampleCall | undefined> => {
  const { docs } = await operation.docs();
  if (operation.id === 'renderPrompt') {
    const rendering = await findRendering(records);
    return rendering && { ...docs.example, ...rendering };
  }
  const params: Record<string, string> = {};
  let record: object = {};
  // Starts with the last parameter: its record has the ids for the others in fields of their names, such as `thread_id`.
  for (const [name, words] of Object.entries(docs.params).reverse()) {
    const owner: unknown = Reflect.get(record, name);
    const found = typeof owner === 'string' ? { id: owner } : await findRecord(words, records);
    if (found === undefined) return undefined;
    params[name] = found.id;
    record = found;
  }
  return { ...docs.example, params };
};

/** The first prompt that can be rendered, with an example of its variables. A text that is only a partial cannot be rendered. */
const findRendering = async ({ prompts }: Control['records']) => {
  for (const { id } of await prompts.list({ limit: enough })) {
    const { example: variables } = await prompts.describe(id);
    const preview = await prompts.render(id, variables).catch(() => undefined);
    if (preview !== undefined) return { params: { promptId: id }, body: { variables } };
  }
  return undefined;
};

/** How many records are searched: a world may have very many records. */
const enough = 100;

const findRecord = async ({ kind, where = {} }: PathParamDocs, records: Control['records']) => {
  const wanted = Object.entries(where);
  const limit = wanted.length === 0 ? 1 : enough;
  const found = await methodsOf(records, kind).list({ limit });
  return found.find((record) => wanted.every(([name, value]) => Reflect.get(record, name) === value));
};

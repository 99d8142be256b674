// That no field is refused at the root of a rendering's body that the contract names (Endpoints, 1).
import { renderPromptContract } from '../operations/render-prompt/contract.ts';
import { askTwice, fieldOf, readObject, renderCall } from './calls.ts';
import {
  broken,
  checkEach,
  describeCall,
  type Finding,
  type Law,
  NotCheckable,
  type Target,
} from './check.ts';
import { furtherParameters, sentMessages, sentParameters } from './renderings.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What makes no sense without another field. */
const companions: Readonly<Record<string, string>> = {
  tool_choice: 'tools',
  parallel_tool_calls: 'tools',
  top_logprobs: 'logprobs',
  function_call: 'functions',
};

/** A field with the one that it takes. */
const withCompanion = (name: string, value: unknown, all: Fields): Fields => {
  const other = companions[name];
  return { ...(other !== undefined && { [other]: all[other] }), [name]: value };
};

/** Fields that are sent at once; where they are refused, each of them alone. */
async function* checkFields(target: Target, fields: Fields): AsyncGenerator<Finding> {
  const call = renderCall(target.samples, fields);
  const reply = await askTwice(target, call);
  if (reply.status === 200) return;
  const all = { ...sentParameters, ...furtherParameters, ...fields };
  const refusedNames: string[] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (refusedNames.includes(companions[name] ?? '')) continue;
    const alone = renderCall(target.samples, withCompanion(name, value, all));
    const { status, text } = await askTwice(target, alone);
    if (status === 200) continue;
    refusedNames.push(name);
    yield broken(`${describeCall(alone)} with ${name}`, 'status 200', `status ${status}: ${text}`, name);
  }
  if (refusedNames.length === 0)
    throw new NotCheckable(
      `${describeCall(call)} is answered by ${reply.status} with ${Object.keys(fields).join(', ')}, and each of these alone is taken.`,
    );
}

export const renderParameterLaws: readonly Law[] = [
  {
    id: 'render-parameters',
    section: renderPromptContract.section,
    says: 'No field is refused at the root of the body that the contract names: messages and each hyperparameter, by the types of its table.',
    needs: ['prompt'],
    async *check(target) {
      const model = fieldOf(fieldOf(await readObject(target, renderCall(target.samples)), 'data'), 'model');
      const further = { ...furtherParameters, ...(typeof model === 'string' && { model }) };
      yield* checkEach([{ messages: sentMessages }, sentParameters, further], (fields) =>
        checkFields(target, fields),
      );
    },
  },
];

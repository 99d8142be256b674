// Rendering accepts all root fields that the contract names (Endpoints, 1).
import { renderPromptContract } from '../operations/render-prompt/contract.ts';
import { askTwice, fieldOf, readData, renderCall } from './calls.ts';
import {
  type CheckTarget,
  checkEach,
  describeCall,
  type Findings,
  failed,
  NotCheckable,
  toChecks,
} from './check.ts';
import { furtherParameters, rendered, sentMessages, sentParameters } from './renderings.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Fields that need another field. */
const companions: Readonly<Record<string, string>> = {
  tool_choice: 'tools',
  parallel_tool_calls: 'tools',
  top_logprobs: 'logprobs',
  function_call: 'functions',
};

/** A field, together with the one that it needs. */
const withCompanion = (name: string, value: unknown, all: Fields): Fields => {
  const other = companions[name];
  return { ...(other !== undefined && { [other]: all[other] }), [name]: value };
};

/** Sends all fields at once, and each alone if they are refused. */
async function* checkFields(target: CheckTarget, fields: Fields): Findings {
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
    yield failed(`${describeCall(alone)} with ${name}`, 'status 200', `status ${status}: ${text}`, name);
  }
  if (refusedNames.length === 0)
    throw new NotCheckable(
      `${describeCall(call)} returned ${reply.status} with ${Object.keys(fields).join(', ')}, but accepts each of them alone.`,
    );
}

async function* checkParameters(target: CheckTarget): Findings {
  const model = fieldOf((await readData(target)).data, 'model');
  const further = { ...furtherParameters, ...(typeof model === 'string' && { model }) };
  yield* checkEach([{ messages: sentMessages }, sentParameters, further], (fields) =>
    checkFields(target, fields),
  );
}

export const renderParameterChecks = toChecks(rendered, renderPromptContract.section, {
  parameters: [
    'Rendering accepts all root fields that the contract names: messages and each hyperparameter, with the types of its table.',
    checkParameters,
  ],
});

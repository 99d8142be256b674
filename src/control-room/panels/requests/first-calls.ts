import type { RemoteControl } from '../../../admin/remote.ts';
import { baseUrl } from '../../connection.ts';
import { type KindName, recordsOf } from '../../kinds.ts';
import { operations } from '../../operations.ts';
import { focusMain, go, toHash } from '../../route.ts';
import type { Keys } from './texts.ts';

/** The kind of record that a path parameter names. */
const kindOf: Readonly<Record<string, KindName>> = {
  promptId: 'prompts',
  thread_id: 'threads',
  fine_tuning_job_id: 'jobs',
  rateLimitsPolicyId: 'policies',
};

export const toHeaders = ({ apiKey, virtualKey }: Keys) => ({
  'x-gateway-api-key': apiKey,
  'x-gateway-virtual-key': virtualKey,
});

/** A call of each operation, with the id of a record of the session, and what sends it. */
export const readFirstCalls = async (control: RemoteControl) => {
  const keys = await control.scenario.keys();
  const toCall = async ({ id, method, path: template }: (typeof operations)[number]) => {
    const [parameter = '{}', name = ''] = /\{(\w+)\}/.exec(template) ?? [];
    const kind = kindOf[name];
    const filter = { limit: 1, ...(kind === 'policies' && { status: 'active' }) };
    const [record] = kind === undefined ? [] : await recordsOf(kind, control).list(filter);
    const path = template.replace(parameter, encodeURIComponent(record?.id ?? 'none'));
    const run = async (): Promise<void> => {
      const headers = { ...toHeaders(keys), 'content-type': 'application/json' };
      const body = method === 'POST' ? '{"variables":{}}' : null;
      const reply = await fetch(baseUrl + path, { method, headers, body });
      await reply.text();
      go(toHash('requests', [reply.headers.get('x-request-id') ?? '']));
      focusMain(); // the button goes
    };
    return { text: `Send it: ${id}`, call: `${method} ${path}`, run };
  };
  return Promise.all(operations.map(toCall));
};

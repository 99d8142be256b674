// status filters rate-limits policies (contract: Endpoints, 5).
import { getRateLimitsPolicyContract } from '../../../core/operations/get-rate-limits-policy/contract.ts';
import { inspectBodies, policyCall, validCallsById } from '../calls.ts';
import { type Findings, failed, formatValue, toChecks } from '../check.ts';
import { fieldOf, parseReply, readObject, tryCall } from '../replies.ts';
import type { CheckTarget } from '../types.ts';

type Status = 'active' | 'archived';

const samples = { active: 'policy', archived: 'archivedPolicy' } as const;

/** The id of the policy with a status, which is read first to see that it exists. */
const readId = async (target: CheckTarget, status: Status): Promise<string> => {
  const id = target.samples[samples[status]] ?? '';
  await readObject(target, policyCall(id, status));
  return id;
};

/** A policy that is returned must have the requested status, by default active. The contract does not show the refusal. */
const filters = (own: Status, ...requested: readonly (Status | undefined)[]) =>
  async function* (target: CheckTarget): Findings {
    const id = await readId(target, own);
    for (const status of requested) {
      const call = policyCall(id, status);
      const reply = await tryCall(target, call);
      const [wanted, found] = [status ?? 'active', fieldOf(parseReply(reply), 'status')];
      const expected = `a policy with status ${wanted}, or an error`;
      if (reply.status === 200 && found !== wanted)
        yield failed(call, expected, `status ${formatValue(found)}`, call.query || undefined);
    }
  };

async function* checkDefault(target: CheckTarget): Findings {
  const call = policyCall(await readId(target, 'active'));
  const { status } = await target.call(call);
  if (status !== 200) yield failed(call, 'status 200, as with status=active', `status ${status}`);
}

const { section } = getRateLimitsPolicyContract;
const active = { name: 'policy', needs: ['policy'] } as const;
const archived = { name: 'policy', needs: ['archivedPolicy'] } as const;

export const policyChecks = [
  ...toChecks(active, section, {
    id: [
      'The returned policy is the requested one.',
      (target) => readId(target, 'active'),
      inspectBodies(validCallsById.getRateLimitsPolicy, function* (body, call, { policy, archivedPolicy }) {
        const id = fieldOf(body, 'id');
        const wanted = [policy, archivedPolicy].find(
          (policy) => policy && call.path === policyCall(policy).path,
        );
        if (wanted && String(id).toLowerCase() !== wanted.toLowerCase())
          yield failed(call, `the id ${wanted}`, `the id ${formatValue(id)}`);
      }),
    ],
    'status-filter': [
      'An active policy is returned for status=active, and not for status=archived.',
      filters('active', 'active', 'archived'),
    ],
    'default-status': ['Without status, an active policy is returned.', checkDefault],
  }),
  ...toChecks(archived, section, {
    'archived-filter': [
      'An archived policy is returned for status=archived, and not for status=active.',
      filters('archived', 'archived', 'active'),
    ],
    'default-archived': [
      'Without status, an archived policy is not returned.',
      filters('archived', undefined),
    ],
  }),
];

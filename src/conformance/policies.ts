// status filters rate-limits policies (contract: Endpoints, 5).
import { getRateLimitsPolicyContract } from '../operations/get-rate-limits-policy/contract.ts';
import { ask, fieldOf, parseReply, policyCall, readObject } from './calls.ts';
import {
  type CheckCall,
  type CheckFinding,
  type CheckTarget,
  type Findings,
  failed,
  formatValue,
  toChecks,
} from './check.ts';
import { inspectBodies } from './replies.ts';

type Status = 'active' | 'archived';

/** A policy that is returned must have the requested status. The contract does not show the refusal. */
async function* checkStatus(target: CheckTarget, call: CheckCall, status: Status): Findings {
  const reply = await ask(target, call);
  if (reply.status !== 200) return;
  const found = fieldOf(parseReply(reply), 'status');
  if (found !== status)
    yield failed(
      call,
      `a policy with status ${status}, or an error`,
      `status ${formatValue(found)}`,
      call.query || undefined,
    );
}

function* findOther(call: CheckCall, reply: unknown, policy = ''): Generator<CheckFinding> {
  const id = fieldOf(reply, 'id');
  if (typeof id !== 'string' || id.toLowerCase() !== policy.toLowerCase())
    yield failed(call, `the id ${policy}`, formatValue(id));
}

async function* checkId(target: CheckTarget): Findings {
  const { policy = '' } = target.samples;
  const call = policyCall(policy, 'active');
  yield* findOther(call, await readObject(target, call), policy);
}

const samples = { active: 'policy', archived: 'archivedPolicy' } as const;

/** The id of the policy with a status, which was read just before. */
const readId = async (target: CheckTarget, status: Status): Promise<string> => {
  const id = target.samples[samples[status]] ?? '';
  await readObject(target, policyCall(id, status));
  return id;
};

const checkFilter = (own: Status) =>
  async function* (target: CheckTarget): Findings {
    const id = await readId(target, own);
    for (const status of ['active', 'archived'] as const)
      yield* checkStatus(target, policyCall(id, status), status);
  };

async function* checkDefault(target: CheckTarget): Findings {
  const call = policyCall(await readId(target, 'active'));
  const { status } = await ask(target, call);
  if (status !== 200) yield failed(call, 'status 200, as with status=active', `status ${status}`);
}

async function* checkDefaultArchived(target: CheckTarget): Findings {
  yield* checkStatus(target, policyCall(await readId(target, 'archived')), 'active');
}

const { section } = getRateLimitsPolicyContract;
const active = { name: 'policy', needs: ['policy'] } as const;
const archived = { name: 'policy', needs: ['archivedPolicy'] } as const;

export const policyChecks = [
  ...toChecks(active, section, {
    id: [
      'The returned policy is the requested one.',
      checkId,
      inspectBodies(
        ({ policy = '' }) => [policyCall(policy)],
        (body, call, { policy }) => findOther(call, body, policy),
      ),
    ],
    'status-filter': [
      'An active policy is returned for status=active, and not for status=archived.',
      checkFilter('active'),
    ],
  }),
  ...toChecks(archived, section, {
    'archived-filter': [
      'An archived policy is returned for status=archived, and not for status=active.',
      checkFilter('archived'),
    ],
  }),
  ...toChecks(active, section, {
    'default-status': ['Without status, an active policy is returned.', checkDefault],
  }),
  ...toChecks(archived, section, {
    'default-archived': ['Without status, an archived policy is not returned.', checkDefaultArchived],
  }),
];

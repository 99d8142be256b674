// status filters rate-limits policies (contract: Endpoints, 5).
import { getRateLimitsPolicyContract } from '../../operations/get-rate-limits-policy/contract.ts';
import { goodCallOf, policyCall } from '../calls.ts';
import {
  type CheckCall,
  type CheckFinding,
  type CheckSamples,
  type CheckTarget,
  type Findings,
  failed,
  formatValue,
  toChecks,
} from '../check.ts';
import { fieldOf, parseReply, readObject, tryCall } from '../replies.ts';
import { inspectBodies } from './inspect-bodies.ts';

type Status = 'active' | 'archived';

/** A policy that is returned must have the requested status. The contract does not show the refusal. */
async function* checkStatus(target: CheckTarget, call: CheckCall, status: Status): Findings {
  const reply = await tryCall(target, call);
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

/** The returned policy must be the one in the path. */
function* findOther(
  call: CheckCall,
  body: unknown,
  { policy, archivedPolicy }: CheckSamples,
): Generator<CheckFinding> {
  const id = fieldOf(body, 'id');
  const wanted = [policy, archivedPolicy].find(
    (one) => one !== undefined && call.path === policyCall(one).path,
  );
  if (wanted !== undefined && (typeof id !== 'string' || id.toLowerCase() !== wanted.toLowerCase()))
    yield failed(call, `the id ${wanted}`, `the id ${formatValue(id)}`);
}

const samples = { active: 'policy', archived: 'archivedPolicy' } as const;

/** The id of the policy with a status, which was read just before. */
const readId = async (target: CheckTarget, status: Status): Promise<string> => {
  const id = target.samples[samples[status]] ?? '';
  await readObject(target, policyCall(id, status));
  return id;
};

const checkFilter = (own: Status, other: Status) =>
  async function* (target: CheckTarget): Findings {
    const id = await readId(target, own);
    yield* checkStatus(target, policyCall(id, own), own);
    yield* checkStatus(target, policyCall(id, other), other);
  };

async function* checkDefault(target: CheckTarget): Findings {
  const call = policyCall(await readId(target, 'active'));
  const { status } = await target.call(call);
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
      (target) => readId(target, 'active'),
      inspectBodies(goodCallOf('policy'), (body, call, given) => findOther(call, body, given)),
    ],
    'status-filter': [
      'An active policy is returned for status=active, and not for status=archived.',
      checkFilter('active', 'archived'),
    ],
    'default-status': ['Without status, an active policy is returned.', checkDefault],
  }),
  ...toChecks(archived, section, {
    'archived-filter': [
      'An archived policy is returned for status=archived, and not for status=active.',
      checkFilter('archived', 'active'),
    ],
    'default-archived': ['Without status, an archived policy is not returned.', checkDefaultArchived],
  }),
];

// status filters rate-limits policies (contract: Endpoints, 5).
import { getRateLimitsPolicyContract } from '../operations/get-rate-limits-policy/contract.ts';
import { ask, fieldOf, parseReply, policyCall, readObject } from './calls.ts';
import {
  type Check,
  type CheckCall,
  type CheckFinding,
  type CheckTarget,
  describeCall,
  failed,
  formatValue,
} from './check.ts';
import { inspectBodies } from './replies.ts';

const { section } = getRateLimitsPolicyContract;

/** A policy that is returned must have the requested status. The contract does not show the refusal. */
async function* checkStatus(
  target: CheckTarget,
  call: CheckCall,
  status: string,
): AsyncGenerator<CheckFinding> {
  const reply = await ask(target, call);
  if (reply.status !== 200) return;
  const found = fieldOf(parseReply(reply), 'status');
  if (found !== status)
    yield failed(
      describeCall(call),
      `a policy with status ${status}, or an error`,
      `status ${formatValue(found)}`,
      call.query || undefined,
    );
}

function* findOther(call: CheckCall, reply: unknown, policy = ''): Generator<CheckFinding> {
  const id = fieldOf(reply, 'id');
  if (typeof id !== 'string' || id.toLowerCase() !== policy.toLowerCase())
    yield failed(describeCall(call), `the id ${policy}`, formatValue(id));
}

export const policyChecks: readonly Check[] = [
  {
    id: 'policy-id',
    section,
    description: 'The returned policy is the requested one.',
    needs: ['policy'],
    async *run(target) {
      const { policy = '' } = target.samples;
      const call = policyCall(policy, 'active');
      yield* findOther(call, await readObject(target, call), policy);
    },
    inspect: inspectBodies(
      ({ policy = '' }) => [policyCall(policy)],
      (body, call, { policy }) => findOther(call, body, policy),
    ),
  },
  {
    id: 'policy-status-filter',
    section,
    description: 'An active policy is returned for status=active, and not for status=archived.',
    needs: ['policy'],
    async *run(target) {
      const { policy = '' } = target.samples;
      await readObject(target, policyCall(policy, 'active'));
      for (const status of ['active', 'archived'])
        yield* checkStatus(target, policyCall(policy, status), status);
    },
  },
  {
    id: 'policy-archived-filter',
    section,
    description: 'An archived policy is returned for status=archived, and not for status=active.',
    needs: ['archivedPolicy'],
    async *run(target) {
      const { archivedPolicy = '' } = target.samples;
      await readObject(target, policyCall(archivedPolicy, 'archived'));
      for (const status of ['active', 'archived'])
        yield* checkStatus(target, policyCall(archivedPolicy, status), status);
    },
  },
  {
    id: 'policy-default-status',
    section,
    description: 'Without status, an active policy is returned.',
    needs: ['policy'],
    async *run(target) {
      const { policy = '' } = target.samples;
      await readObject(target, policyCall(policy, 'active'));
      const { status } = await ask(target, policyCall(policy));
      if (status !== 200)
        yield failed(
          describeCall(policyCall(policy)),
          'status 200, as with status=active',
          `status ${status}`,
        );
    },
  },
  {
    id: 'policy-default-archived',
    section,
    description: 'Without status, an archived policy is not returned.',
    needs: ['archivedPolicy'],
    async *run(target) {
      const { archivedPolicy = '' } = target.samples;
      await readObject(target, policyCall(archivedPolicy, 'archived'));
      yield* checkStatus(target, policyCall(archivedPolicy), 'active');
    },
  },
];

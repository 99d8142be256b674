// That status filters the rate-limits policies (contract: Endpoints, 5).
import { getRateLimitsPolicyContract } from '../operations/get-rate-limits-policy/contract.ts';
import { ask, fieldOf, parseReply, policyCall, readObject } from './calls.ts';
import { broken, describeCall, type Finding, type Law, type LawCall, show, type Target } from './check.ts';
import { inspectBodies } from './replies.ts';

const { section } = getRateLimitsPolicyContract;

/** A policy that is found must have the status asked for; how one is refused is not shown. */
async function* checkStatus(target: Target, call: LawCall, status: string): AsyncGenerator<Finding> {
  const reply = await ask(target, call);
  if (reply.status !== 200) return;
  const found = fieldOf(parseReply(reply), 'status');
  if (found !== status)
    yield broken(
      describeCall(call),
      `a policy whose status is ${status}, or none`,
      `one of status ${show(found)}`,
      call.query || undefined,
    );
}

function* findOther(call: LawCall, reply: unknown, policy = ''): Generator<Finding> {
  const id = fieldOf(reply, 'id');
  if (typeof id !== 'string' || id.toLowerCase() !== policy.toLowerCase())
    yield broken(describeCall(call), `the id ${policy}`, show(id));
}

export const policyLaws: readonly Law[] = [
  {
    id: 'policy-id',
    section,
    says: 'The policy is the one that was asked for.',
    needs: ['policy'],
    async *check(target) {
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
    says: 'status filters: an active policy is not found as archived.',
    needs: ['policy'],
    async *check(target) {
      const { policy = '' } = target.samples;
      await readObject(target, policyCall(policy, 'active'));
      for (const status of ['active', 'archived'])
        yield* checkStatus(target, policyCall(policy, status), status);
    },
  },
  {
    id: 'policy-archived-filter',
    section,
    says: 'status filters: an archived policy is found as archived, not as active.',
    needs: ['archivedPolicy'],
    async *check(target) {
      const { archivedPolicy = '' } = target.samples;
      await readObject(target, policyCall(archivedPolicy, 'archived'));
      for (const status of ['active', 'archived'])
        yield* checkStatus(target, policyCall(archivedPolicy, status), status);
    },
  },
  {
    id: 'policy-default-status',
    section,
    says: 'Without status, an active policy is found.',
    needs: ['policy'],
    async *check(target) {
      const { policy = '' } = target.samples;
      await readObject(target, policyCall(policy, 'active'));
      const { status } = await ask(target, policyCall(policy));
      if (status !== 200)
        yield broken(
          describeCall(policyCall(policy)),
          'status 200, as with status=active',
          `status ${status}`,
        );
    },
  },
  {
    id: 'policy-default-archived',
    section,
    says: 'Without status, an archived policy is not found.',
    needs: ['archivedPolicy'],
    async *check(target) {
      const { archivedPolicy = '' } = target.samples;
      await readObject(target, policyCall(archivedPolicy, 'archived'));
      yield* checkStatus(target, policyCall(archivedPolicy), 'active');
    },
  },
];

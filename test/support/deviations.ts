import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type AssumptionChoices, assumptions } from '../../src/core/assumptions/table.ts';
import { matchPath } from '../../src/core/protocol/router.ts';
import { operations } from '../../src/core/scenario/scenario-schema.ts';
import { parseJson } from '../../src/core/util/json.ts';

/** What was found in the test under way. Only the tests of this very check, and of bugs, may empty it. */
export const deviations: string[] = [];

/** One reply of any transport, as a client sees it. */
interface SeenReply {
  readonly method: string;
  /** From `/v1` on. */
  readonly path: string;
  readonly status: number;
  readonly header: (name: string) => string | null | undefined;
  /** Empty for HEAD. */
  readonly body: string | null;
}

const errorBody = z.strictObject({
  success: z.literal(false),
  status: z.literal('failure'),
  message: z.string().min(1),
  error: z.strictObject({
    message: z.string().min(1),
    type: z.enum([
      'invalid_request_error',
      'authentication_error',
      'permission_error',
      'rate_limit_error',
      'rate_limits_policy_exhaust_error',
      'server_error',
    ]),
    param: z.string().nullable(),
    code: z.string().nullable(),
  }),
  data: z.strictObject({ message: z.string(), errorCode: z.string().regex(/^AB0[0-9]$/) }),
});

/** Where a reply leaves the contract or the field notes: empty where it does not. */
export const findDeviations = (reply: SeenReply): string[] => {
  const title = `${reply.method} ${reply.path} ${reply.status}`;
  // What a fault puts in the place of an answer, or makes of its bytes, is asked for. A page that is hostile still is one.
  // Neither another server's reply nor that of a user's own call is the gateway's.
  const isShaped =
    shapedByFault.test(reply.header('x-mock-fault') ?? '') ||
    reply.header('x-mock-upstream') !== undefined ||
    /\bown-call\b/.test(reply.header('x-mock-assumptions') ?? '');
  const found = isShaped
    ? [...findIdDeviations(reply)]
    : [...findIdDeviations(reply), ...findHeaderDeviations(reply), ...findNewBodyDeviations(reply)];
  return found.map((deviation) => `${title}: ${deviation}`);
};

/** Whether a deviation follows from an assumption that breaks the contract on purpose, and marks no reply. */
export const isChosen = (deviation: string, choices: () => AssumptionChoices): boolean =>
  (/ 200: .*expected \w+, received null/s.test(deviation) && choices()['hyperparameter-null'] === 'kept') ||
  (/ 200: fields that the contract does not name/.test(deviation) && choices()['extra-fields'] === 'kept');

/** Bodies that were held already, by a digest of all that decides about them: equal worlds answer them again and again. */
const good = new Set<string>();

const findNewBodyDeviations = (reply: SeenReply): string[] => {
  const { method, path, status, header, body } = reply;
  const decisive = [method, path, status, header('content-length'), header('x-mock-assumptions'), body].join(
    ' ',
  );
  const key = createHash('sha1').update(decisive).digest('base64');
  if (good.has(key)) return [];
  const found = [...findBodyDeviations(reply)];
  if (good.size >= 100_000) good.clear();
  if (found.length === 0) good.add(key);
  return found;
};

const shapedByFault =
  /: (?:[45]\d\d|reply|html-error|reset|malformed-json|truncated-json|empty-body|wrong-content-type)(?: |$)/;

function* findIdDeviations({ header }: SeenReply): Generator<string> {
  if (!/^req_[0-9a-f]{24}$/.test(header('x-request-id') ?? '')) yield 'no x-request-id';
  if (!header('x-gateway-trace-id')) yield 'no x-gateway-trace-id';
}

function* findHeaderDeviations({ status, header }: SeenReply): Generator<string> {
  const marks = header('x-mock-assumptions')?.split(', ') ?? [];
  for (const mark of marks) {
    if (!Object.hasOwn(assumptions, mark)) yield `the mark ${mark} is no assumption`;
    else if (status < 400 && 'standing' in assumptions[mark as keyof typeof assumptions])
      yield `${mark} is standing, and yet marked`;
  }
  if (status >= 400 && !marks.includes('error-body')) yield 'an error without the mark error-body';
  if (status >= 400 && marks.length < 2) yield 'an error that names no assumption of its own';
  const isAssumed = status === 503 && marks.some((mark) => ['session-lost', 'body-size'].includes(mark));
  const isTemplate =
    status === 500 &&
    marks.some((mark) => ['template-text', 'structured-values', 'hyperparameter-type'].includes(mark));
  if (status >= 500 && !isAssumed && !isTemplate) yield 'a 5xx that nobody asked for';
  if (status !== 204 && header('content-type') !== 'application/json')
    yield 'the content type is not application/json';
}

function* findBodyDeviations({ method, path, status, header, body }: SeenReply): Generator<string> {
  if (status === 204 || method === 'HEAD') {
    if (body !== null && body !== '') yield 'a body where there is none';
    return;
  }
  if (Number(header('content-length') ?? Buffer.byteLength(body ?? '')) !== Buffer.byteLength(body ?? ''))
    yield 'the content-length is not that of the body';
  // zod leaves an own __proto__ out of what it parsed, and the mock must keep it.
  const read = parseJson(body ?? '');
  const value = body?.includes('__proto__') ? withoutPrototypes(read) : read;
  const schema = status === 200 ? replySchema(path, header('x-mock-assumptions') ?? '') : errorBody;
  const result = schema.safeParse(value);
  if (!result.success) yield z.prettifyError(result.error);
  else if (!isDeepStrictEqual(result.data, value)) yield 'fields that the contract does not name';
}

const withoutPrototypes = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutPrototypes);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== '__proto__');
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutPrototypes(inner)]));
};

const replySchema = (path: string, marks: string): z.ZodType => {
  const schema = matchPath(operations, path.replace(/^(?:\/sessions\/[^/]*)?\/v1/, ''))?.operation.contract
    .reply;
  if (schema === undefined) return z.never();
  // Two alternatives break the contract on purpose.
  if (marks.includes('hyperparameter-type')) return z.looseObject({ success: z.literal(true) });
  const ends = { first_id: z.string().nullable(), last_id: z.string().nullable() };
  return marks.includes('empty-run-ends') && schema instanceof z.ZodObject ? schema.extend(ends) : schema;
};

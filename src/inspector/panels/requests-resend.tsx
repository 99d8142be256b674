import { useState } from 'preact/hooks';
import type { RecordedRequest } from '../../journal/recorded-request.ts';
import { Field } from '../fields.tsx';
import { Action } from '../parts.tsx';
import { go } from '../route.ts';
import { baseUrl, control } from '../session.ts';
import { texts } from '../texts.ts';
import { linkTo } from './requests-compare.tsx';
import { keyOf, targetOf } from './requests-rows.ts';
import { isMasked, isOwnHeader, type Keys, withKeys } from './requests-texts.ts';

const t = texts.resend;

/** What is sent. */
interface Sent {
  /** `GET /v1/batches?limit=2` */
  readonly first: string;
  /** A line each: `name: value`. */
  readonly headers: string;
  readonly body: string;
}

/** The same call with working keys; other masked headers are left out. */
const toSent = (request: RecordedRequest, keys: Keys): Sent => ({
  first: `${request.method} ${targetOf(request)}`,
  headers: Object.entries(withKeys(request, keys))
    .filter(([name, value]) => !isOwnHeader(name) && !isMasked(value))
    .map((pair) => pair.join(': '))
    .join('\n'),
  body: request.body ?? '',
});

/** Sends it to the same session, and returns the key of its request in the journal. */
const send = async ({ first, headers, body }: Sent): Promise<string> => {
  const [, method = '', target = ''] = /^\s*(\w+)\s+(\S+)\s*$/.exec(first) ?? [];
  if (!target.startsWith('/')) throw new Error(t.invalid);
  const given = headers.split('\n').flatMap((line): [string, string][] => {
    const [, name, value = ''] = /^\s*([^:\s]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, value]];
  });
  const hasBody = body !== '' && !/^(?:GET|HEAD)$/i.test(method);
  const id = await fetch(baseUrl.replace(/\/v1$/, '') + target, {
    method,
    headers: given,
    ...(hasBody && { body }),
    cache: 'no-store',
  }).then(
    async (response) => {
      await response.text().catch(() => ''); // the connection may be closed half way
      return response.headers.get('x-request-id');
    },
    () => null, // the connection may be reset: then the journal knows its id
  );
  const [latest] = await control.requests.list({}, { limit: 1, bodies: false, kept: true });
  const key = id ?? (latest && keyOf(latest));
  if (key === undefined) throw new Error(t.failed);
  return key;
};

/** Sends a request again, changed or not, and shows how the replies differ. */
export const Resend = ({ request, keys }: { readonly request: RecordedRequest; readonly keys: Keys }) => {
  const [sent, setSent] = useState<Sent>();
  const resend = async (call: Sent): Promise<void> => go(linkTo(request.id, await send(call)));
  return (
    <>
      <Action run={() => resend(toSent(request, keys))}>{t.again}</Action>
      <button
        type="button"
        aria-expanded={sent !== undefined}
        onClick={() => setSent(sent === undefined ? toSent(request, keys) : undefined)}
      >
        {t.change}
      </button>
      {sent && (
        <form class="stack resend" onSubmit={(event) => event.preventDefault()}>
          <Field label={t.call}>
            <input
              class="mono"
              spellcheck={false}
              value={sent.first}
              onInput={({ currentTarget }) => setSent({ ...sent, first: currentTarget.value })}
            />
          </Field>
          <Field label={t.headers}>
            <textarea
              class="mono"
              rows={Math.min(8, sent.headers.split('\n').length)}
              spellcheck={false}
              value={sent.headers}
              onInput={({ currentTarget }) => setSent({ ...sent, headers: currentTarget.value })}
            />
          </Field>
          <Field label={t.body}>
            <textarea
              class="mono"
              rows={4}
              spellcheck={false}
              value={sent.body}
              onInput={({ currentTarget }) => setSent({ ...sent, body: currentTarget.value })}
            />
          </Field>
          <Action type="submit" class="main" run={() => resend(sent)}>
            {t.send}
          </Action>
        </form>
      )}
    </>
  );
};

import { Name } from '../name.tsx';
import { operations } from '../operations.ts';
import { Action, Copy } from '../parts.tsx';
import { useQuery } from '../query.ts';
import { go, toHash } from '../route.ts';
import { baseUrl } from '../session.ts';
import { texts } from '../texts.ts';
import { type KindName, recordsOf } from './data-kinds.ts';

const t = texts.first;

/** The kind of record that a path parameter names. */
const kindOf: Readonly<Record<string, KindName>> = {
  promptId: 'prompts',
  thread_id: 'threads',
  fine_tuning_job_id: 'jobs',
  rateLimitsPolicyId: 'policies',
};

/** Any keys will do. */
const headers = { 'x-gateway-api-key': 'any', 'x-gateway-virtual-key': 'any' };

/** What the page is for, and a first call of each operation. */
export const FirstUse = () => {
  const { value: ids } = useQuery('first', async (control) =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(kindOf).map(async ([name, kind]) => [
          `{${name}}`,
          (
            await recordsOf(kind, control).list({
              limit: 1,
              ...(kind === 'policies' && { status: 'active' }),
            })
          )[0]?.id ?? 'none',
        ]),
      ),
    ),
  );
  const send = async (method: string, path: string): Promise<void> => {
    const reply = await fetch(baseUrl + path, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      body: method === 'POST' ? '{"variables":{}}' : null,
    });
    await reply.text();
    go(toHash('requests', [reply.headers.get('x-request-id') ?? '']));
    document.getElementById('main')?.focus(); // the button goes
  };
  return (
    <div class="stack">
      <div>
        {t.lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
      <div class="row">
        {t.baseUrl} <code>{baseUrl}</code> <Copy text={baseUrl}>{texts.common.copy}</Copy>
      </div>
      {ids && (
        <ul class="plain-list first">
          {operations.map(({ id, method, path: template }) => {
            const path = template.replace(/\{\w+\}/, (name) => encodeURIComponent(ids[name] ?? ''));
            return (
              <li key={id} class="row">
                <Action run={() => send(method, path)} aria-label={t.sendOne(id)}>
                  {t.send}
                </Action>
                <code>
                  {method} <Name text={path} />
                </code>
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
};

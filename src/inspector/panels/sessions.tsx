import { useEffect, useRef, useState } from 'preact/hooks';
import { defaultSession, isSessionName, sessionNameRule } from '../../protocol/session-name.ts';
import { useAsk } from '../ask.ts';
import { control, pageOf, session } from '../live.ts';
import { Action, Badge, Card, Copy, Empty, Failure, Field } from '../parts.tsx';
import { go, type Route, toHash } from '../route.ts';

export const SessionsPanel = ({ route }: { readonly route: Route }) => {
  const { names, error, askAgain } = useNames();
  return (
    <>
      <Failure message={error} />
      <p class="muted lead">
        Each session is a world of its own: its records, clock, faults and requests. A client picks one by its
        base URL, or by the header x-mock-session.
      </p>
      <List names={names} filter={route.query.q ?? ''} askAgain={askAgain} />
      <Make names={names} askAgain={askAgain} />
    </>
  );
};

/** The sessions, default first. They are polled: clients create sessions by calling them, without an event. */
const useNames = () => {
  const [turn, setTurn] = useState(0);
  const askAgain = (): void => setTurn((count) => count + 1);
  useEffect(() => {
    const timer = setInterval(askAgain, 3000);
    return () => clearInterval(timer);
  }, []);
  const { value, error } = useAsk(() => control.sessions.list(), [], [turn]);
  const rank = (name: string): number => (name === defaultSession ? 0 : 1);
  const names = (value ?? []).toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  return { names, error, askAgain };
};

const baseUrlOf = (name: string): string => pageOf(name).replace(/\/__admin\/.*$/s, '/v1');

interface Known {
  readonly names: readonly string[];
  readonly askAgain: () => void;
}

const List = ({ names, filter, askAgain }: Known & { readonly filter: string }) => {
  const list = useRef<HTMLUListElement>(null);
  const found = names.filter((name) => name.toLowerCase().includes(filter.toLowerCase()));
  const remove = async (name: string): Promise<void> => {
    await control.sessions.delete(name);
    askAgain();
    list.current?.focus(); // its button is about to go
  };
  return (
    <Card title="Sessions">
      {(names.length > 8 || filter !== '') && (
        <Field label="Filter">
          <input
            type="search"
            value={filter}
            onInput={({ currentTarget }) =>
              go(toHash('sessions', [], { q: currentTarget.value }), { replace: true })
            }
          />
        </Field>
      )}
      {found.length === 0 && names.length > 0 && <Empty>No session contains this text.</Empty>}
      <ul class="plain-list sessions" aria-label="Sessions" tabIndex={-1} ref={list}>
        {found.map((name) => (
          <li key={name}>
            <span>
              {name === session ? (
                <>
                  <strong>{name}</strong> <Badge tone="good">this page</Badge>
                </>
              ) : (
                <a href={pageOf(name)} aria-label={`Go to the session ${name}`}>
                  {name}
                </a>
              )}
            </span>
            <span class="row">
              <code>{baseUrlOf(name)}</code>
              <Copy text={baseUrlOf(name)}>
                Copy<span class="hidden"> the base URL of {name}</span>
              </Copy>
            </span>
            {name === defaultSession ? (
              <small>It always exists.</small>
            ) : name === session ? (
              <small>To delete it, open another session.</small>
            ) : (
              <Action
                run={() => remove(name)}
                done={`The session ${name} was deleted.`}
                aria-label={`Delete ${name}`}
              >
                Delete
              </Action>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
};

/** What a new session starts from. */
const starts = { session: 'The current state of', scenario: 'The start of the scenario' } as const;

const Make = ({ names, askAgain }: Known) => {
  const [name, setName] = useState('');
  const [from, setFrom] = useState(`session:${session}`);
  const [error, setError] = useState<string>();
  const { value: scenarios = [] } = useAsk(() => control.scenario.list());
  const chosen = name.trim();
  const problem =
    chosen === '' || isSessionName(chosen)
      ? undefined
      : `${sessionNameRule.charAt(0).toUpperCase()}${sessionNameRule.slice(1)}.`;
  const isThere = names.includes(chosen);
  const make = async (): Promise<void> => {
    const [kind = '', start = ''] = from.split(/:(.*)/s);
    await control.sessions.create(chosen, { [kind]: start });
    setName('');
    askAgain();
  };
  return (
    <Card title="Create a session">
      <form class="row" onSubmit={(event) => event.preventDefault()}>
        <Field label="Name">
          <input
            value={name}
            autocomplete="off"
            spellcheck={false}
            aria-invalid={problem !== undefined}
            aria-describedby="session-note"
            onInput={({ currentTarget }) => {
              setName(currentTarget.value);
              setError(undefined);
            }}
          />
        </Field>
        <Field label="From">
          <select value={from} onChange={({ currentTarget }) => setFrom(currentTarget.value)}>
            <optgroup label={starts.session}>
              {[session, ...names.filter((one) => one !== session)].map((one) => (
                <option key={one} value={`session:${one}`}>
                  {one === session ? `${one} (this page)` : one}
                </option>
              ))}
            </optgroup>
            <optgroup label={starts.scenario}>
              {scenarios.map((one) => (
                <option key={one.name} value={`scenario:${one.name}`}>
                  {one.name}
                </option>
              ))}
            </optgroup>
          </select>
        </Field>
        <Action
          type="submit"
          class="main"
          run={make}
          fail={setError}
          disabled={chosen === '' || problem !== undefined}
          done={`The session ${chosen} was created.`}
        >
          {isThere ? 'Recreate' : 'Create'}
        </Action>
      </form>
      <Failure message={error} />
      <p id="session-note" class="muted" role="status">
        {problem ?? (isThere ? 'A session with this name exists. It will be deleted and created again.' : '')}
      </p>
    </Card>
  );
};

import { useEffect, useRef, useState } from 'preact/hooks';
import { defaultSession, isSessionName, sessionNameRule } from '../../protocol/session-name.ts';
import { useAsk } from '../ask.ts';
import { Field, Options, Search, useText } from '../fields.tsx';
import { control, pageOf, session } from '../live.ts';
import { Action, Badge, Card, Copy, Empty, Failure } from '../parts.tsx';
import { type Route, setQuery } from '../route.ts';

export const SessionsPanel = ({ route }: { readonly route: Route }) => {
  const { names, error, askAgain } = useNames();
  return (
    <>
      <Failure message={error} />
      <p class="muted lead">
        Each session is a world of its own: its records, clock, faults and requests. A client picks one by its
        base URL, or by the header x-mock-session.
      </p>
      <List names={names} route={route} askAgain={askAgain} />
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

const List = ({ names, route, askAgain }: Known & { readonly route: Route }) => {
  const { q: filter = '' } = route.query;
  const list = useRef<HTMLUListElement>(null);
  const found = names.filter((name) => name.toLowerCase().includes(filter.toLowerCase()));
  const remove = async (name: string): Promise<void> => {
    await control.sessions.delete(name);
    askAgain();
    list.current?.focus(); // its button is about to go
  };
  return (
    <Card title="Sessions">
      {(names.length > 8 || filter !== '') && <Search value={filter} set={(q) => setQuery(route, { q })} />}
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

const toOption = (name: string): readonly [string, string] => [
  `session:${name}`,
  name === session ? `${name} (this page)` : name,
];

const Make = ({ names, askAgain }: Known) => {
  const { text, setText, error, setError, input } = useText();
  const [from, setFrom] = useState(`session:${session}`);
  const { value: scenarios = [] } = useAsk(() => control.scenario.list());
  const chosen = text.trim();
  const problem =
    chosen === '' || isSessionName(chosen)
      ? undefined
      : `${sessionNameRule.charAt(0).toUpperCase()}${sessionNameRule.slice(1)}.`;
  const isThere = names.includes(chosen);
  const make = async (): Promise<void> => {
    const [kind = '', start = ''] = from.split(/:(.*)/s);
    await control.sessions.create(chosen, { [kind]: start });
    setText('');
    askAgain();
  };
  return (
    <Card title="Create a session">
      <form class="row" onSubmit={(event) => event.preventDefault()}>
        <Field label="Name">
          <input
            {...input}
            autocomplete="off"
            spellcheck={false}
            aria-invalid={problem !== undefined}
            aria-describedby="session-note"
          />
        </Field>
        <Field label="From">
          <select value={from} onChange={({ currentTarget }) => setFrom(currentTarget.value)}>
            <optgroup label="The current state of">
              <Options of={[session, ...names.filter((one) => one !== session)].map(toOption)} />
            </optgroup>
            <optgroup label="The start of the scenario">
              <Options of={scenarios.map((one) => [`scenario:${one.name}`, one.name])} />
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

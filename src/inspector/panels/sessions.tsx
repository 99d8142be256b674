import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { defaultSession, isSessionName, sessionNameRule } from '../../protocol/session-name.ts';
import { Field, Options, Search, useText } from '../fields.tsx';
import { Name } from '../name.tsx';
import { Action, Badge, Card, Copy, Empty, Failure } from '../parts.tsx';
import { useQuery } from '../query.ts';
import { type Route, setQuery } from '../route.ts';
import { control, pageOf, session } from '../session.ts';
import { texts } from '../texts.ts';

const t = texts.sessions;

export const SessionsPanel = ({ route }: { readonly route: Route }) => {
  const { names, reload } = useNames();
  return (
    <>
      <p class="muted lead">{t.lead}</p>
      <List names={names} route={route} reload={reload} />
      <Make names={names} reload={reload} />
    </>
  );
};

/** The sessions, default first. They are polled: clients create sessions by calling them, without an event. */
const useNames = () => {
  const { value, reload } = useQuery('sessions', (control) => control.sessions.list());
  useEffect(() => {
    const timer = setInterval(reload, 3000);
    return () => clearInterval(timer);
  }, []);
  const rank = (name: string): number => (name === defaultSession ? 0 : 1);
  const names = (value ?? []).toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  return { names, reload };
};

const baseUrlOf = (name: string): string => pageOf(name).replace(/\/__admin\/.*$/s, '/v1');

interface Known {
  readonly names: readonly string[];
  readonly reload: () => void;
}

const List = ({ names, route, reload }: Known & { readonly route: Route }) => {
  const { q: filter = '' } = route.query;
  const list = useRef<HTMLUListElement>(null);
  const found = names.filter((name) => name.toLowerCase().includes(filter.toLowerCase()));
  const remove = async (name: string): Promise<void> => {
    await control.sessions.delete(name);
    reload();
    list.current?.focus(); // its button is about to go
  };
  return (
    <Card title={t.title}>
      {(names.length > 8 || filter !== '') && <Search value={filter} set={(q) => setQuery(route, { q })} />}
      {found.length === 0 && names.length > 0 && <Empty>{t.noMatch}</Empty>}
      <ul class="plain-list sessions" aria-label={t.title} tabIndex={-1} ref={list}>
        {found.map((name) => (
          <li key={name}>
            <span>
              {name === session ? (
                <>
                  <strong>
                    <Name text={name} />
                  </strong>{' '}
                  <Badge tone="good">{t.here}</Badge>
                </>
              ) : (
                <a href={pageOf(name)} aria-label={t.goTo(name)}>
                  <Name text={name} />
                </a>
              )}
            </span>
            <span class="row">
              <code>
                <Name text={baseUrlOf(name)} />
              </code>
              <Copy text={baseUrlOf(name)}>
                {texts.common.copy}
                <span class="hidden">{t.copyUrl(name)}</span>
              </Copy>
            </span>
            {name === defaultSession ? (
              <small>{t.always}</small>
            ) : name === session ? (
              <small>{t.openAnother}</small>
            ) : (
              <Delete name={name} run={() => remove(name)} />
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
};

/** It cannot be undone, so it asks. */
const Delete = ({ name, run }: { readonly name: string; readonly run: () => Promise<void> }) => {
  /** Undefined until it is first pressed, so that the list does not move the focus. */
  const [isAsking, setAsking] = useState<boolean>();
  const next = useRef<HTMLButtonElement>(null);
  // Not on the button that deletes, so that pressing a key twice does no harm.
  useLayoutEffect(() => {
    if (isAsking !== undefined) next.current?.focus();
  }, [isAsking]);
  return isAsking ? (
    <span class="row" role="group" aria-label={t.deleteOne(name)}>
      <Action run={run} done={t.deleted(name)} class="data-danger">
        {t.reallyDelete(name)}
      </Action>
      <button type="button" ref={next} onClick={() => setAsking(false)}>
        {t.keep}
      </button>
    </span>
  ) : (
    <button type="button" ref={next} onClick={() => setAsking(true)} aria-label={t.deleteOne(name)}>
      {texts.common.delete}
    </button>
  );
};

const toOption = (name: string): readonly [string, string] => [
  `session:${name}`,
  name === session ? t.nameHere(name) : name,
];

const Make = ({ names, reload }: Known) => {
  const { text, setText, error, setError, input } = useText();
  const [from, setFrom] = useState(`session:${session}`);
  const { value: scenarios = [] } = useQuery('scenarios', (control) => control.scenario.list());
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
    reload();
  };
  return (
    <Card title={t.make}>
      <form class="row" onSubmit={(event) => event.preventDefault()}>
        <Field label={texts.common.name}>
          <input
            {...input}
            autocomplete="off"
            spellcheck={false}
            aria-invalid={problem !== undefined}
            aria-describedby="session-note"
          />
        </Field>
        <Field label={t.from}>
          <select value={from} onChange={({ currentTarget }) => setFrom(currentTarget.value)}>
            <optgroup label={t.fromState}>
              <Options of={[session, ...names.filter((one) => one !== session)].map(toOption)} />
            </optgroup>
            <optgroup label={t.fromStart}>
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
          done={t.made(chosen)}
        >
          {isThere ? t.recreate : texts.common.create}
        </Action>
      </form>
      <Failure message={error} />
      <p id="session-note" class="muted" role="status">
        {problem ?? (isThere ? t.exists : '')}
      </p>
    </Card>
  );
};

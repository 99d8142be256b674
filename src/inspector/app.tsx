import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { defaultSession } from '../protocol/session-name.ts';
import { Field } from './fields.tsx';
import { Find } from './find.tsx';
import { Foot } from './foot.tsx';
import { connection, goOn, lost, unlock } from './live.ts';
import { Name } from './name.tsx';
import { now, useClock } from './now.ts';
import { RequestsPanel } from './panels/requests.tsx';
import { Action, Failure, formatTime, Messages, QueryFailures } from './parts.tsx';
import { useQuery } from './query.ts';
import { type Route, toHash, useRoute } from './route.ts';
import { pageOf, session } from './session.ts';
import { texts } from './texts.ts';

const t = texts.app;

/** The name is the same in every language. */
const productName = 'gateway-mock';

const panels = [
  { id: 'requests', title: texts.requests.title, name: 'RequestsPanel' },
  { id: 'scenario', title: texts.scenario.title, name: 'ScenarioPanel' },
  { id: 'clock', title: texts.clock.title, name: 'ClockPanel' },
  { id: 'data', title: texts.data.title, name: 'DataPanel' },
  { id: 'faults', title: texts.faults.title, name: 'FaultsPanel' },
  { id: 'sessions', title: texts.sessions.title, name: 'SessionsPanel' },
  { id: 'assumptions', title: texts.assumptions.title, name: 'AssumptionsPanel' },
] as const;

/** The panels that are loaded: the first one, and the others once one of them was opened. */
const loaded = signal<Partial<typeof import('./panels.ts')> & { readonly RequestsPanel: Panel }>({
  RequestsPanel,
});

type Panel = (props: { readonly route: Route }) => ComponentChildren;

/** Why the panels could not be loaded. */
const loadFailure = signal<string>();

let failedLoads = 0;

/** Many browsers remember that a module failed to load. They request it again only from another URL. */
const importPanels = (): Promise<typeof import('./panels.ts')> =>
  failedLoads === 0
    ? import('./panels.ts')
    : import(new URL(`panels.js?again=${failedLoads}`, import.meta.url).href);

const loadPanels = async (): Promise<void> => {
  try {
    loaded.value = { RequestsPanel, ...(await importPanels()) };
  } catch {
    failedLoads += 1;
    loadFailure.value = t.notLoaded;
  }
};

export const App = () => {
  const route = useRoute();
  const current = panels.find(({ id }) => id === route.panel) ?? panels[0];
  return (
    <div class="app">
      <a class="skip" href="#main" onClick={skip}>
        {t.skip}
      </a>
      <Top />
      <Navigation current={current.id} />
      <main id="main" tabIndex={-1}>
        <Loss />
        {connection.value === 'locked' ? <Unlock /> : <View key={current.id} panel={current} route={route} />}
      </main>
      <Foot />
      <Messages />
    </div>
  );
};

const skip = (event: Event): void => {
  event.preventDefault(); // the part behind the # is the view
  document.getElementById('main')?.focus();
};

const View = ({ panel, route }: { readonly panel: (typeof panels)[number]; readonly route: Route }) => {
  const { title, name } = panel;
  const Panel: Panel | undefined = loaded.value[name];
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = `${title} · ${session} · ${productName}`;
    // Focuses the content after keyboard navigation, except in the first view, which the browser focuses.
    if (document.activeElement?.closest('nav')) heading.current?.focus({ preventScroll: true });
  }, [title]);
  useEffect(() => {
    if (loaded.peek()[name] === undefined) void loadPanels();
  }, [name]);
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <QueryFailures />
      {Panel ? (
        <Panel route={route} />
      ) : (
        loadFailure.value !== undefined && (
          <>
            <Failure message={loadFailure.value} />
            <Action run={loadPanels}>{t.tryAgain}</Action>
          </>
        )
      )}
    </>
  );
};

const Top = () => {
  useClock();
  const { value: scenario } = useQuery('scenario', (control) => control.scenario.current());
  return (
    <header class="top">
      <span class="name">{productName}</span>
      {scenario && (
        <a href={toHash('scenario')}>
          <small>{t.scenario}</small> <Name text={scenario.name} />
        </a>
      )}
      <a href={toHash('sessions')}>
        <small>{t.session}</small> <Name text={session} />
      </a>
      {now.value && (
        <a href={toHash('clock')} title={t.worldTime} class="time">
          {formatTime(Math.floor(now.value.seconds))} {now.value.speed === 0 ? '❙❙' : `▶ ${now.value.speed}×`}
        </a>
      )}
      <Find panels={panels} />
      <span class={`connection ${connection.value}`} role="status">
        {t.connections[connection.value]}
      </span>
    </header>
  );
};

/** Shows that the page's world is lost. */
const Loss = () => {
  const how = lost.value;
  if (how === undefined) return null;
  const isReplaced = how === 'replaced';
  const onGoOn = async (): Promise<void> => {
    await goOn();
    document.getElementById('main')?.focus(); // the button goes
  };
  return (
    <div role="alert" class="loss">
      <p>
        {t.losses[how]} {t.loss}
      </p>
      <Action class="main" run={onGoOn}>
        {isReplaced ? t.continue : t.createAgain}
      </Action>{' '}
      {!isReplaced && session !== defaultSession && (
        <a class="button" href={pageOf(defaultSession)}>
          {t.toDefault}
        </a>
      )}
    </div>
  );
};

const Navigation = ({ current }: { readonly current: string }) => {
  const here = useRef<HTMLAnchorElement>(null);
  // On a narrow screen, the links are in a scrolling row.
  useEffect(() => here.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' }), [current]);
  return (
    <nav aria-label={t.panels}>
      {panels.map(({ id, title }) => (
        <a
          key={id}
          ref={id === current ? here : null}
          href={toHash(id)}
          aria-current={id === current ? 'page' : undefined}
        >
          {title}
        </a>
      ))}
    </nav>
  );
};

const Unlock = () => {
  const [token, setToken] = useState('');
  const [error, setError] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const open = async (): Promise<void> => {
    await unlock(token);
    document.getElementById('main')?.focus(); // the form goes
  };
  const fail = (message: string | undefined): void => {
    setError(message);
    if (message !== undefined) field.current?.select();
  };
  return (
    <form class="card stack" onSubmit={(event) => event.preventDefault()}>
      <h1>{t.tokenRequired}</h1>
      <p>{t.tokenLead}</p>
      <Failure message={error} />
      <Field label={t.token}>
        <input
          ref={field}
          type="password"
          autocomplete="off"
          value={token}
          onInput={(event) => setToken(event.currentTarget.value)}
        />
      </Field>
      <Action type="submit" class="main" run={open} fail={fail}>
        {t.open}
      </Action>
    </form>
  );
};

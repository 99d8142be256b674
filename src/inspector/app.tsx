import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useAsk } from './ask.ts';
import { Field } from './fields.tsx';
import { control, goOn, session, unlock, useLive } from './live.ts';
import { useNow } from './now.ts';
import { AssumptionsPanel } from './panels/assumptions.tsx';
import { ClockPanel } from './panels/clock.tsx';
import { DataPanel } from './panels/data.tsx';
import { FaultsPanel } from './panels/faults.tsx';
import { RequestsPanel } from './panels/requests.tsx';
import { ScenarioPanel } from './panels/scenario.tsx';
import { SessionsPanel } from './panels/sessions.tsx';
import { Action, Failure, formatTime, Messages } from './parts.tsx';
import { type Route, toHash, useRoute } from './route.ts';

const panels = [
  { id: 'requests', title: 'Requests', Panel: RequestsPanel },
  { id: 'scenario', title: 'Scenario', Panel: ScenarioPanel },
  { id: 'clock', title: 'Clock', Panel: ClockPanel },
  { id: 'data', title: 'Data', Panel: DataPanel },
  { id: 'faults', title: 'Faults', Panel: FaultsPanel },
  { id: 'sessions', title: 'Sessions', Panel: SessionsPanel },
  { id: 'assumptions', title: 'Assumptions', Panel: AssumptionsPanel },
] as const;

export const App = () => {
  const route = useRoute();
  const connection = useLive('connection');
  const current = panels.find(({ id }) => id === route.panel) ?? panels[0];
  return (
    <div class="app">
      <a class="skip" href="#main" onClick={skip}>
        Skip to the content
      </a>
      <Top />
      <Navigation current={current.id} />
      <main id="main" tabIndex={-1}>
        <Loss />
        {connection === 'locked' ? <Unlock /> : <View key={current.id} panel={current} route={route} />}
      </main>
      <Messages />
    </div>
  );
};

const skip = (event: Event): void => {
  event.preventDefault(); // the part behind the # is the view
  document.getElementById('main')?.focus();
};

const View = ({ panel, route }: { readonly panel: (typeof panels)[number]; readonly route: Route }) => {
  const { title, Panel } = panel;
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = `${title} · ${session} · gateway-mock`;
    // Focuses the content after keyboard navigation, except in the first view, which the browser focuses.
    if (document.activeElement?.closest('nav')) heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <Panel route={route} />
    </>
  );
};

const Top = () => {
  const connection = useLive('connection');
  const now = useNow();
  const { value: scenario } = useAsk(() => control.scenario.current());
  return (
    <header class="top">
      <span class="name">gateway-mock</span>
      {scenario && (
        <a href={toHash('scenario')}>
          <small>scenario</small> {scenario.name}
        </a>
      )}
      <a href={toHash('sessions')}>
        <small>session</small> {session}
      </a>
      {now && (
        <a href={toHash('clock')} title="The time of this world, in UTC" class="time">
          {formatTime(Math.floor(now.seconds))} {now.speed === 0 ? '❙❙' : `▶ ${now.speed}×`}
        </a>
      )}
      <span class={`connection ${connection}`} role="status">
        {connections[connection]}
      </span>
    </header>
  );
};

/** Shows that the page's world is lost. */
const Loss = () => {
  const lost = useLive('lost');
  if (lost === undefined) return null;
  const onGoOn = async (): Promise<void> => {
    await goOn();
    document.getElementById('main')?.focus(); // the button goes
  };
  return (
    <div role="alert" class="loss">
      <p>
        {lost.isRemoved
          ? 'This session was removed to make room for others. '
          : 'The data of this page is gone: the server was restarted, or the session was created again. '}
        Its records, faults, clock and requests are lost. The page still shows the last known data, which
        cannot be changed.
      </p>
      <Action class="main" run={onGoOn}>
        {lost.isRemoved ? 'Create the session again' : 'Continue with the current data'}
      </Action>
    </div>
  );
};

const connections = {
  connecting: 'Connecting …',
  open: 'Connected',
  lost: 'The server does not answer. Trying again …',
  locked: 'The server requires a token',
} as const;

const Navigation = ({ current }: { readonly current: string }) => {
  const here = useRef<HTMLAnchorElement>(null);
  // On a narrow screen, the links are in a scrolling row.
  useEffect(() => here.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' }), [current]);
  return (
    <nav aria-label="Panels">
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
      <h1>Admin token required</h1>
      <p>This server was started with an admin token.</p>
      <Failure message={error} />
      <Field label="Token">
        <input
          ref={field}
          type="password"
          autocomplete="off"
          value={token}
          onInput={(event) => setToken(event.currentTarget.value)}
        />
      </Field>
      <Action type="submit" class="main" run={open} fail={fail}>
        Open
      </Action>
    </form>
  );
};

import type { ScenarioInfo } from '../../control/types.ts';
import { Search } from '../fields.tsx';
import { Name } from '../name.tsx';
import { Action, Badge, Card, Empty } from '../parts.tsx';
import { useQuery } from '../query.ts';
import { type Route, setQuery } from '../route.ts';
import { control } from '../session.ts';
import { texts } from '../texts.ts';
import { Changes } from './scenario-changes.tsx';
import { FromFile, SaveAs } from './scenario-file.tsx';
import { SavedStates } from './scenario-states.tsx';

const t = texts.scenario;

export const ScenarioPanel = ({ route }: { readonly route: Route }) => {
  const { value: current } = useQuery('scenario', (control) => control.scenario.current());
  return (
    <>
      {current && <Loaded current={current} />}
      <Changes />
      <div class="columns">
        <Pick loaded={current?.name} route={route} />
        <div class="stack">
          <SavedStates />
          <FromFile />
        </div>
      </div>
    </>
  );
};

const Loaded = ({ current: { name, description, seed } }: { readonly current: ScenarioInfo }) => (
  <Card
    title={name}
    aside={
      <>
        <Action run={() => control.reset()} done={t.wasReset(name)} undo={1}>
          {t.reset}
        </Action>
        <SaveAs name={name} />
      </>
    }
  >
    <p>
      <Name text={description || t.noDescription} />
    </p>
    <p class="muted">{t.seed(seed)}</p>
  </Card>
);

const Pick = ({ loaded, route }: { readonly loaded: string | undefined; readonly route: Route }) => {
  const { q: filter = '' } = route.query;
  const { value: all = [] } = useQuery('scenarios', (control) => control.scenario.list());
  const words = filter.toLowerCase().split(/\s+/);
  const found = all.filter(({ name, description }) => {
    const text = `${name} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return (
    <Card title={t.pick}>
      <Search value={filter} set={(q) => setQuery(route, { q })} />
      <p class="muted" role="status">
        {texts.common.someOf(found.length, all.length)}
      </p>
      {found.length === 0 && all.length > 0 && <Empty>{t.noMatch}</Empty>}
      <ul class="plain-list scenarios" aria-label={t.list}>
        {found.map(({ name, description }) => (
          <li key={name}>
            <div>
              <strong>
                <Name text={name} />
              </strong>{' '}
              {name === loaded && <Badge tone="good">{t.loaded}</Badge>}
              <div class="muted">
                <Name text={description} />
              </div>
            </div>
            <Action
              run={() => control.scenario.load(name)}
              done={t.isLoaded(name)}
              undo={1}
              aria-label={t.loadOne(name)}
            >
              {t.load}
            </Action>
          </li>
        ))}
      </ul>
    </Card>
  );
};

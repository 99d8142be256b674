import { useRef, useState } from 'preact/hooks';
import type { ScenarioInfo } from '../../control/commands/scenario.ts';
import type { Scenario } from '../../scenario/schema.ts';
import { parseJson, toJsonText } from '../../util/json.ts';
import { messageOf } from '../../util/message-of.ts';
import { Field, Search } from '../fields.tsx';
import { notify } from '../messages.ts';
import { Name } from '../name.tsx';
import { Action, Badge, Card, download, Empty, Failure } from '../parts.tsx';
import { useQuery } from '../query.ts';
import { type Route, setQuery } from '../route.ts';
import { control } from '../session.ts';
import { texts } from '../texts.ts';
import { undoRestart } from '../undo.ts';
import { Changes } from './scenario-changes.tsx';
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

const Loaded = ({ current: { name, description, seed } }: { readonly current: ScenarioInfo }) => {
  const save = async (): Promise<void> =>
    download(`${name}.json`, `${toJsonText(await control.state.export(), 2)}\n`);
  return (
    <Card
      title={name}
      aside={
        <>
          <Action run={() => control.reset()} done={t.wasReset(name)} undo={undoRestart}>
            {t.reset}
          </Action>
          <Action run={save}>{t.save}</Action>
        </>
      }
    >
      <p>
        <Name text={description || t.noDescription} />
      </p>
      <p class="muted">{t.seed(seed)}</p>
    </Card>
  );
};

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
              undo={undoRestart}
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

/** Loads a scenario file, such as one from "Save as scenario". */
const FromFile = () => {
  const [mistake, setMistake] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const load = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    try {
      await control.state.import(readScenario(file.name, await file.text()));
      setMistake(undefined);
      notify(t.isLoaded(file.name), 'good', await undoRestart());
    } catch (error) {
      setMistake(messageOf(error));
    }
    if (input.current) input.current.value = ''; // so that the same file can be chosen again after it was corrected
  };
  return (
    <Card title={t.file}>
      <Failure message={mistake} />
      <Field label={t.fileLabel} hint={t.fileHint}>
        <input
          ref={input}
          type="file"
          accept=".json,application/json"
          onChange={({ currentTarget }) => void load(currentTarget.files?.[0])}
        />
      </Field>
    </Card>
  );
};

const readScenario = (name: string, text: string): Scenario => {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    throw new Error(t.invalidJson(name, messageOf(error)));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(t.noObject(name));
  return value as Scenario; // the server checks it
};

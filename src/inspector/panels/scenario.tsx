import { useRef, useState } from 'preact/hooks';
import type { ScenarioInfo } from '../../control/commands/scenario.ts';
import type { Scenario } from '../../scenario/schema.ts';
import { parseJson, toJsonText } from '../../util/json.ts';
import { messageOf } from '../../util/message-of.ts';
import { useAsk } from '../ask.ts';
import { Field, Search } from '../fields.tsx';
import { control } from '../live.ts';
import { Action, Badge, Card, download, Empty, Failure, notify } from '../parts.tsx';
import { type Route, setQuery } from '../route.ts';
import { Changes } from './scenario-changes.tsx';
import { SavedStates } from './scenario-states.tsx';

export const ScenarioPanel = ({ route }: { readonly route: Route }) => {
  const { value: current, error } = useAsk(() => control.scenario.current());
  return (
    <>
      <Failure message={error} />
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
          <Action run={() => control.reset()} done={`The session was reset to the start of ${name}.`}>
            Reset to the start
          </Action>
          <Action run={save}>Save as scenario</Action>
        </>
      }
    >
      <p>{description || 'It has no description.'}</p>
      <p class="muted">Seed {seed}</p>
    </Card>
  );
};

const Pick = ({ loaded, route }: { readonly loaded: string | undefined; readonly route: Route }) => {
  const { q: filter = '' } = route.query;
  const { value: all = [], error } = useAsk(() => control.scenario.list());
  const words = filter.toLowerCase().split(/\s+/);
  const found = all.filter(({ name, description }) => {
    const text = `${name} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return (
    <Card title="Load another">
      <Failure message={error} />
      <Search value={filter} set={(q) => setQuery(route, { q })} />
      <p class="muted" role="status">
        {found.length} of {all.length}
      </p>
      {found.length === 0 && all.length > 0 && <Empty>No scenario contains this text.</Empty>}
      <ul class="plain-list scenarios" aria-label="Scenarios">
        {found.map(({ name, description }) => (
          <li key={name}>
            <div>
              <strong>{name}</strong> {name === loaded && <Badge tone="good">loaded</Badge>}
              <div class="muted">{description}</div>
            </div>
            <Action
              run={() => control.scenario.load(name)}
              done={`${name} is loaded.`}
              aria-label={`Load ${name}`}
            >
              Load
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
      notify(`${file.name} is loaded.`);
    } catch (error) {
      setMistake(messageOf(error));
    }
    if (input.current) input.current.value = ''; // so that the same file can be chosen again after it was corrected
  };
  return (
    <Card title="Load a file">
      <Failure message={mistake} />
      <Field label="Scenario file" hint="JSON, such as from “Save as scenario”">
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
    throw new Error(`Failed to read ${name}: invalid JSON. ${messageOf(error)}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`Failed to read ${name}: a scenario must be a JSON object.`);
  return value as Scenario; // the server checks it
};

import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { LostWorldError } from '../../admin/remote.ts';
import type { Control } from '../../control/types.ts';
import { parseJson, toJsonText } from '../../util/json.ts';
import { isMapping, type Mapping } from '../../util/mapping.ts';
import { messageOf } from '../../util/message-of.ts';
import { Field, Options } from '../fields.tsx';
import { Name } from '../name.tsx';
import { Badge, Card, Copy, Empty, Failure, Json } from '../parts.tsx';
import { useQuery } from '../query.ts';
import { type Route, setQuery } from '../route.ts';
import { texts } from '../texts.ts';
import type { AnyRecord } from './data-kinds.ts';
import {
  agreeing,
  type Message,
  markMissing,
  namesIn,
  pickVersion,
  readName,
  splitMissing,
  splitTags,
  versionsOf,
  writeName,
} from './data-template.ts';

const t = texts.prompt;

const parse = (text: string): Mapping => {
  const value: unknown = text.trim() === '' ? {} : parseJson(text);
  if (!isMapping(value)) throw new Error(t.noObject);
  return value;
};

const tryParse = (text: string): { readonly variables?: Mapping; readonly error?: string } => {
  try {
    return { variables: parse(text) };
  } catch (error) {
    return { error: messageOf(error) };
  }
};

/** A stored prompt: variables in, messages out. */
export const PromptForm = ({ record, route }: { readonly record: AnyRecord; readonly route: Route }) => {
  const { version: suffix = '', variables: asked = '{}' } = route.query;
  const version = pickVersion(record, suffix);
  const { value: rendering } = useQuery(
    ['rendering', record.id],
    (control) => render(control, suffix === '' ? record.id : `${record.id}@${suffix}`, asked),
    [suffix, asked],
  );
  const missing = rendering?.missing ?? [];
  return (
    <>
      <Card title={t.rendering} aside={<VersionPicker record={record} route={route} />}>
        <div class="columns">
          <VariablesForm route={route} messages={version?.messages ?? []} missing={missing} />
          <section class="stack" aria-label={t.rendered}>
            <Failure message={rendering?.error} />
            {rendering !== undefined && rendering.error === undefined && (
              <>
                {rendering.marked.map((message, at) => (
                  <MessageView key={at} message={message} split={splitMissing} missing={[]} />
                ))}
                <div class="row">
                  <Copy text={toJsonText(rendering.messages, 2)}>{t.copy}</Copy>
                </div>
              </>
            )}
          </section>
        </div>
      </Card>
      <Card title={version === undefined ? t.template : t.templateOf(version.version)}>
        {version === undefined ? (
          <Empty>{t.noVersion(suffix)}</Empty>
        ) : (
          <div class="stack">
            {version.messages.map((message, at) => (
              <MessageView key={at} message={message} split={splitTags} missing={missing} />
            ))}
            {Object.keys(version.parameters).length > 0 && (
              <details>
                <summary>{t.parameters}</summary>
                <Json value={version.parameters} label={t.parameters} />
              </details>
            )}
          </div>
        )}
      </Card>
    </>
  );
};

interface Rendering {
  readonly messages: readonly object[];
  readonly marked: readonly Message[];
  readonly missing: readonly string[];
  /** What is wrong with the variables or the template. */
  readonly error?: string;
}

const render = async (control: Control, id: string, asked: string): Promise<Rendering> => {
  try {
    return await renderMarked(control, id, parse(asked));
  } catch (error) {
    if (error instanceof LostWorldError) throw error;
    return { messages: [], marked: [], missing: [], error: messageOf(error) };
  }
};

const renderMarked = async (control: Control, id: string, variables: Mapping): Promise<Rendering> => {
  const { messages, missing } = await control.records.prompts.render(id, variables);
  if (missing.length === 0) return { messages, missing, marked: messages as readonly Message[] };
  const second = await control.records.prompts
    .render(id, markMissing(variables, missing))
    .catch(() => ({ messages }));
  return {
    messages,
    missing,
    marked: agreeing(second.messages as readonly Message[], messages as readonly Message[]),
  };
};

/** The inputs for variables. They are put into the URL shortly after typing, and the prompt is rendered from the URL. */
const useVariables = (route: Route) => {
  const { variables: asked = '{}' } = route.query;
  const [text, setText] = useState(asked);
  const sent = useRef(asked);
  useLayoutEffect(() => {
    if (asked !== sent.current) setText(asked); // by the back button
    sent.current = asked;
  }, [asked]);
  // Immediately: a later timer would put the old version back into the URL.
  useLayoutEffect(() => {
    if (text === asked) return undefined;
    const timer = setTimeout(() => {
      sent.current = text;
      setQuery(route, { variables: text });
    }, 200);
    return () => clearTimeout(timer);
  }, [text, route]);
  return [text, setText] as const;
};

const VersionPicker = ({ record, route }: { readonly record: AnyRecord; readonly route: Route }) => {
  const { version: suffix = '' } = route.query;
  const versions = versionsOf(record);
  if (record.versions === undefined && suffix === '') return null;
  const labels = versions.flatMap((one) => one.labels.map((label) => [label, one.version] as const));
  return (
    <label class="row">
      {t.version}
      <select
        value={suffix}
        onChange={({ currentTarget }) => setQuery(route, { version: currentTarget.value })}
      >
        <option value="">{t.published(pickVersion(record, '')?.version)}</option>
        <option value="latest">{t.latest(pickVersion(record, 'latest')?.version)}</option>
        <Options of={versions.map(({ version }) => [String(version), t.at(version)])} />
        <Options of={labels.map(([label, version]) => [label, t.labelled(label, version)])} />
      </select>
    </label>
  );
};

const VariablesForm = ({
  route,
  messages,
  missing,
}: {
  readonly route: Route;
  readonly messages: readonly Message[];
  readonly missing: readonly string[];
}) => {
  const [text, setText] = useVariables(route);
  const isJson = route.query.as === 'json';
  const [added, setAdded] = useState<readonly string[]>([]);
  const [wanted, setWanted] = useState<string>();
  const box = useRef<HTMLDivElement>(null);
  const { variables, error } = tryParse(text);
  const named = namesIn(messages);
  const listed = [...new Set([...named.map(({ name }) => name), ...added])];
  const others = Object.keys(variables ?? {}).filter(
    (key) => !listed.some((name) => name === key || name.startsWith(`${key}.`)),
  );
  const names = [...listed, ...others];
  const write = (name: string, value: unknown): void =>
    setText(toJsonText(writeName(variables ?? {}, name, value), 2));
  const add = (name: string): void => {
    if (isJson) write(name, '');
    else setAdded([...added, name]);
    setWanted(name);
  };
  useLayoutEffect(() => {
    if (wanted === undefined) return;
    // The field of the variable that was just added, or the one with all variables.
    const fields = [...(box.current?.querySelectorAll<HTMLElement>('[data-name]') ?? [])];
    (
      fields.find(({ dataset }) => dataset.name === wanted) ?? box.current?.querySelector('textarea')
    )?.focus();
    setWanted(undefined);
  }, [wanted]);
  const showsJson = isJson || variables === undefined;
  return (
    <div class="stack" ref={box}>
      <div class="row" role="group" aria-label={t.how}>
        <button type="button" aria-pressed={!showsJson} onClick={() => setQuery(route, { as: '' })}>
          {t.fields}
        </button>
        <button type="button" aria-pressed={showsJson} onClick={() => setQuery(route, { as: 'json' })}>
          {t.json}
        </button>
      </div>
      {showsJson ? (
        <Field label={t.variables}>
          <textarea
            class="mono"
            rows={10}
            spellcheck={false}
            aria-invalid={error !== undefined}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </Field>
      ) : names.length === 0 ? (
        <Empty>{t.noVariables}</Empty>
      ) : (
        <>
          {names.map((name) => (
            <VariableField
              key={name}
              name={name}
              isSection={named.some((one) => one.name === name && one.isSection)}
              isMissing={missing.includes(name)}
              value={readName(variables, name)}
              onValue={(value) => write(name, value)}
            />
          ))}
          <small>{t.notSent}</small>
        </>
      )}
      <Failure message={error} />
      <Missing names={missing} add={add} />
    </div>
  );
};

/** The missing variables. Pressing one adds a field for it and focuses it. */
const Missing = ({
  names,
  add,
}: {
  readonly names: readonly string[];
  readonly add: (name: string) => void;
}) => (
  <div>
    <p role="status">{names.length === 0 ? t.noneMissing : t.missing(names.length)}</p>
    <div class="row">
      {names.map((name) =>
        name.startsWith('>') ? (
          <Badge key={name} tone="warn">
            {t.noPartial(name.slice(1))}
          </Badge>
        ) : (
          <button key={name} type="button" class="data-missing" onClick={() => add(name)}>
            <span class="hidden">{t.add}</span>+ <Name text={name} />
          </button>
        ),
      )}
    </div>
  </div>
);

const VariableField = ({
  name,
  isSection,
  isMissing,
  value,
  onValue,
}: {
  readonly name: string;
  readonly isSection: boolean;
  readonly isMissing: boolean;
  readonly value: unknown;
  readonly onValue: (value: unknown) => void;
}) => {
  // If it ever held more than a text, the input is parsed as JSON if possible.
  const isRich = isSection || (value !== undefined && typeof value !== 'string');
  const [wasRich, setRich] = useState(isRich);
  const [draft, setDraft] = useState(() => showValue(value));
  const read = (text: string): unknown => (text === '' ? undefined : wasRich ? readRich(text) : text);
  useLayoutEffect(() => {
    if (isRich) setRich(true);
    if (toJsonText(read(draft)) !== toJsonText(value)) setDraft(showValue(value));
  }, [toJsonText(value)]);
  const hintId = useId();
  return (
    <label class="field">
      <span>
        <Name text={name} /> {isMissing && <Badge tone="warn">{t.isMissing}</Badge>}
      </span>
      <textarea
        class={wasRich ? 'mono' : undefined}
        data-name={name}
        rows={Math.min(6, draft.split('\n').length)}
        aria-describedby={isSection ? hintId : undefined}
        value={draft}
        onInput={(event) => {
          setDraft(event.currentTarget.value);
          onValue(read(event.currentTarget.value));
        }}
      />
      {isSection && <small id={hintId}>{t.section}</small>}
    </label>
  );
};

const showValue = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : toJsonText(value);

const readRich = (text: string): unknown => {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
};

interface MessageProps {
  readonly message: Message;
  /** Every second part is marked. */
  readonly split: (text: string) => readonly string[];
  readonly missing: readonly string[];
}

const MessageView = ({ message, split, missing }: MessageProps) => {
  const { role, name, content, ...others } = message;
  const mark = (text: string) =>
    split(text).map((piece, at) => {
      if (at % 2 === 0) return <Name key={at} text={piece} />;
      const isTag = piece.startsWith('{{');
      const isMissing = !isTag || missing.includes(piece.replaceAll(/[{}&\s]/g, ''));
      return (
        <mark key={at} class={isMissing ? 'data-missing' : undefined}>
          <Name text={piece} />
          {isMissing && <span class="hidden">{t.isMissingHere}</span>}
        </mark>
      );
    });
  return (
    <article class="data-message" aria-label={t.message(role)}>
      <header>
        <Badge tone="info">{role}</Badge>
        {typeof name === 'string' && (
          <span>
            {t.name}
            {mark(name)}
          </span>
        )}
      </header>
      {typeof content !== 'string' ? (
        <p class="muted">{t.noContent}</p>
      ) : content === '' ? (
        <p class="muted">{t.emptyText}</p>
      ) : (
        <p>{mark(content)}</p>
      )}
      {Object.keys(others).length > 0 && <Json value={others} label={t.more(role)} />}
    </article>
  );
};

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Control } from '../control/types.ts';
import { messageOf } from '../util/message-of.ts';
import { notify } from './messages.ts';
import { Name } from './name.tsx';
import { kinds, linkTo, recordsOf } from './panels/data-kinds.ts';
import { keyOf, targetOf } from './panels/requests-rows.ts';
import { useQuery } from './query.ts';
import { go, toHash } from './route.ts';
import { control, pageOf } from './session.ts';
import { texts } from './texts.ts';
import { isolate } from './visible.ts';

const t = texts.find;

interface Found {
  /** What it is, such as `run`. */
  readonly kind: string;
  readonly text: string;
  readonly open: () => unknown;
}

const toCommand = (panel: string, action: string, run: () => Promise<unknown>): Found => {
  const text = `${panel}: ${action}`;
  return { kind: t.command, text, open: () => run().then(() => notify(t.done(text))) };
};

/** The commands that can be run from here. */
const commands: readonly Found[] = [
  toCommand(texts.clock.title, texts.clock.next, () => control.clock.next()),
  toCommand(texts.clock.title, texts.clock.run, () => control.clock.run()),
  toCommand(texts.clock.title, texts.clock.freeze, () => control.clock.freeze()),
  toCommand(texts.quotas.title, texts.quotas.refill, () => control.quotas.refill()),
  toCommand(texts.faults.title, texts.faults.removeAll, () => control.faults.clear()),
  toCommand(texts.requests.title, texts.requests.clear, () => control.requests.clear()),
  toCommand(texts.scenario.title, texts.scenario.reset, () => control.reset()),
];

const maxFound = 5;

/** The records, requests and sessions that contain a text. */
const search = async (text: string, own: Control): Promise<readonly Found[]> => {
  if (text.length < 2) return [];
  const records = kinds.map(async ({ name, singular }) => {
    const found = await recordsOf(name, own).list({ search: text, limit: maxFound });
    return found.map(({ id }) => ({ kind: singular, text: id, open: () => go(linkTo(name, id)) }));
  });
  const [sessions, requests, ...found] = await Promise.all([
    own.sessions.list(),
    own.requests.list({ search: text }, { limit: maxFound, bodies: false, kept: true }),
    ...records,
  ]);
  return [
    ...found.flat(),
    ...requests.reverse().map((one) => ({
      kind: t.request,
      text: `${one.id} ${one.method} ${targetOf(one)}`,
      open: () => go(toHash('requests', [keyOf(one)])),
    })),
    ...sessions
      .filter((name) => name.toLowerCase().includes(text))
      .slice(0, maxFound)
      .map((name) => ({ kind: texts.app.session, text: name, open: () => location.assign(pageOf(name)) })),
  ];
};

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|SELECT|TEXTAREA)$/.test(target.tagName));

/** Finds anything by its name or id: Ctrl+K, or / outside of a field. */
export const Find = ({
  panels,
}: {
  readonly panels: readonly { readonly id: string; readonly title: string }[];
}) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const open = (): void => {
    setText('');
    setAt(0);
    setOpen(true);
    if (!dialog.current?.open) dialog.current?.showModal();
  };
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isK = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
      const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !isTyping(event.target);
      if (event.defaultPrevented || (!isK && !isSlash)) return;
      event.preventDefault();
      open();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
  const words = text.trim().toLowerCase();
  const { value: there } = useQuery(
    'find',
    async (own) => ({ words, found: await search(words, own) }),
    words,
  );
  const has = (one: Found): boolean => one.text.toLowerCase().includes(words);
  const found: readonly Found[] = [
    ...panels.map(({ id, title }) => ({ kind: t.panel, text: title, open: () => go(toHash(id)) })),
    ...(there?.found ?? []),
    ...commands,
    // What the server found may contain the text outside the id; a result of an earlier search must contain it as well.
  ].filter((one) => isOpen && (has(one) || (there?.words === words && there.found.includes(one))));
  const chosen = Math.min(at, found.length - 1);
  const choose = async (one: Found | undefined): Promise<void> => {
    if (one === undefined) return;
    dialog.current?.close();
    document.getElementById('main')?.focus();
    try {
      await one.open();
    } catch (error) {
      notify(isolate(messageOf(error)), 'bad');
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setAt(Math.max(0, Math.min(found.length - 1, chosen + step)));
    } else if (event.key === 'Enter') void choose(found[chosen]);
  };
  return (
    <>
      <button type="button" onClick={open} class="find">
        {t.find} <kbd>{t.keys}</kbd>
      </button>
      <dialog ref={dialog} aria-label={t.find} onClose={() => setOpen(false)}>
        <input
          class="grow"
          role="combobox"
          aria-expanded={true}
          aria-controls="found"
          aria-activedescendant={found.length === 0 ? undefined : `found-${chosen}`}
          aria-label={t.find}
          placeholder={t.hint}
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={({ currentTarget: { value } }) => {
            setText(value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
        <div id="found" role="listbox" aria-label={t.results}>
          {found.map((one, index) => (
            <button
              key={`${one.kind} ${one.text}`}
              type="button"
              id={`found-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === chosen}
              onClick={() => void choose(one)}
            >
              <small>{one.kind}</small> <Name text={one.text} />
            </button>
          ))}
        </div>
        {isOpen && found.length === 0 && <p class="empty">{t.none}</p>}
      </dialog>
    </>
  );
};

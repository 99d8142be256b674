// Runs what the user does on the server: asks before what cannot be undone, reports the result, and offers to undo it.
import { Button, type ButtonProps, Group, Text } from '@mantine/core';
import { notifications, notificationsStore } from '@mantine/notifications';
import { IconCopy, type Icon as IconType } from '@tabler/icons-react';
import { type ComponentProps, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { messageOf } from '../core/util/message-of.ts';
import type { Command, Question, Task } from './commands.ts';
import { control, createStore, refresh } from './connection.ts';
import { focusMain } from './route.ts';
import { Foreign, isolate } from './text.tsx';

/** Runs a task and reports the result. */
export const act = async (task: Task & { readonly name?: string }): Promise<void> => {
  const { run, done, steps = 1, ask, fail = notifyError, name } = task;
  if (ask && !(await confirm(ask))) return;
  try {
    const before = done === undefined ? [] : await idsOfChanges();
    const result = await run();
    const undo = done === undefined ? undefined : await toUndo(before, steps);
    fail(undefined);
    refresh(); // not all changes have events, such as those of saved states
    if (done !== undefined) notify(typeof done === 'string' ? done : done(result), { undo });
  } catch (error) {
    const message = messageOf(error);
    const isAway = name !== undefined && message.startsWith('Failed to reach ');
    fail(isAway ? `${name}: not done, since the server did not answer. Is the server running?` : message);
  }
};

type Undo = (() => Promise<unknown>) | undefined;

const idsOfChanges = async (): Promise<number[]> =>
  (await control.state.history()).changes.map(({ id }) => id);

/**
 * If a task has made no more than its own changes of the session, a function that undoes them. It throws if there was a later
 * change, which it would undo as well.
 */
const toUndo = async (before: readonly number[], steps: number): Promise<Undo> => {
  const ids = (await idsOfChanges()).filter((id) => id > (before.at(-1) ?? 0));
  const [to] = ids;
  if (to === undefined || ids.length > steps) return undefined;
  return async () => {
    if ((await idsOfChanges()).at(-1) !== ids.at(-1))
      throw new Error(
        'The session has changed since, so this change can no longer be undone by itself. See the arrow in the header.',
      );
    await control.state.undo({ to });
  };
};

/** The message with the button Undo. Only the last one has it: a closed one is still shown for a moment, without it. */
const undoable = createStore({ id: '' });
let notified = 0;

const UndoButton = ({ of, run }: { readonly of: string; readonly run: () => Promise<void> }) =>
  undoable.use(({ id }) => id) === of && (
    <Action text="Undo" run={run} data-undo aria-keyshortcuts="Control+Z" />
  );

/** Shows a message for a while. Screen readers announce it. An error stays until it is closed. */
export const notify = (text: string, { isError = false, undo }: { isError?: boolean; undo?: Undo } = {}) => {
  notified += 1;
  const id = String(notified);
  if (undo) {
    notifications.hide(undoable.get().id);
    undoable.set({ id });
  }
  for (const old of notificationsStore.getState().notifications.slice(0, -2)) // three are shown at a time
    if (old.id) notifications.hide(old.id);
  const onUndo = async (): Promise<void> => {
    if (document.activeElement?.matches('[data-undo]')) focusMain(); // the button is removed
    notifications.hide(id);
    undoable.set({ id: '' });
    await undo?.();
    notify('Undone');
  };
  notifications.show({
    id,
    role: isError ? 'alert' : 'status',
    color: isError ? 'red' : 'teal',
    autoClose: isError ? false : 6000,
    closeButtonProps: { 'aria-label': 'Dismiss' },
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text className="wrap" style={{ whiteSpace: 'pre-wrap' }}>
          <Foreign text={text} />
        </Text>
        {undo && <UndoButton of={id} run={onUndo} />}
      </Group>
    ),
  });
};

/** Shows an error. There is none to remove if it is undefined. */
const notifyError = (message: string | undefined): void => {
  if (message !== undefined) notify(message, { isError: true });
};

// Ctrl+Z presses Undo. A field with text has its own.
addEventListener('keydown', (event) => {
  if (event.key !== 'z' || !(event.ctrlKey || event.metaKey)) return;
  const { target } = event;
  const isText =
    target instanceof Element && target.matches('textarea, input:not([type=checkbox], [type=radio])');
  const button = document.querySelector<HTMLElement>('[data-undo]');
  if (button === null || (isText && (target as HTMLInputElement).value !== '')) return; // it matches an input
  event.preventDefault(); // the browser would also undo the last typing
  button.click();
});

/** The question that is asked now, and the function that takes the reply. */
export const asking = createStore({
  question: undefined as Question | undefined,
  reply: (_isConfirmed: boolean): void => {},
});

const confirm = (question: Question): Promise<boolean> =>
  new Promise((resolve) => {
    const reply = (isConfirmed: boolean): void => {
      asking.set({ question: undefined });
      resolve(isConfirmed);
    };
    asking.set({ question, reply });
  });

/** Buttons of commands. */
export const Actions = ({ of, ...buttonProps }: ButtonProps & { readonly of: readonly Command[] }) =>
  of.map(({ name, text, kind: _kind, words: _words, ...rest }) => (
    <Action
      text={text}
      key={text ?? rest.Icon?.displayName}
      {...buttonProps}
      {...rest}
      title={text === undefined ? isolate(name) : undefined}
      aria-label={isolate(name)}
    />
  ));

type OtherProps = Omit<ComponentProps<'button'>, keyof ButtonProps | 'children' | 'onClick'>;

interface ActionProps extends Task, ButtonProps, OtherProps {
  /** Shown before the text. Without a text, it needs an `aria-label`. */
  readonly Icon?: IconType | undefined;
  readonly text?: ReactNode;
}

/**
 * A button that runs a task. It cannot be pressed again until the task has finished. If it is removed while it has the focus, the
 * nearest focusable element around it gets the focus.
 */
export const Action = ({ run, done, steps, ask, fail, disabled, Icon, text, ...rest }: ActionProps) => {
  const [isBusy, setBusy] = useState(false);
  const isDisabled = isBusy || disabled === true;
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const element = button.current;
    return () => {
      if (element !== null && element === document.activeElement)
        element.closest<HTMLElement>(':not(button)[tabindex="-1"]')?.focus({ preventScroll: true });
    };
  }, []);
  const onClick = async (): Promise<void> => {
    if (isDisabled) return;
    setBusy(true);
    const name = rest['aria-label'] ?? (typeof text === 'string' ? text : undefined);
    await act({ run, done, steps, ask, fail, ...(name !== undefined && { name }) });
    setBusy(false);
  };
  return (
    // Not `disabled`, which would lose the focus of the pressed button.
    <Button
      flex="none"
      {...(Icon && text && { leftSection: <Icon size={16} aria-hidden /> })}
      {...(!text && { px: 5 })}
      {...rest}
      ref={button}
      aria-disabled={isDisabled}
      {...(isDisabled && { 'data-disabled': true })}
      onClick={onClick}
    >
      {text || (Icon && <Icon size={16} aria-hidden />)}
    </Button>
  );
};

/** Copies a text. @throws Error with the text if the browser has no clipboard: over plain http from another host */
export const copy = async (text: string): Promise<void> => {
  const clipboard = navigator.clipboard as Clipboard | undefined; // its type says that it always exists
  if (clipboard === undefined)
    throw new Error(`Browsers copy only over HTTPS or on localhost. Copy it from here:\n${text}`);
  await clipboard.writeText(text);
  notify('Copied');
};

/** A button that copies a text to the clipboard. */
export const Copy = ({ text, ...rest }: { readonly text: string; readonly 'aria-label'?: string }) => (
  <Action text="Copy" run={() => copy(text)} Icon={IconCopy} {...rest} />
);

/** Downloads a text as a file. */
export const download = (name: string, text: string): void => {
  const url = URL.createObjectURL(new Blob([text]));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
};

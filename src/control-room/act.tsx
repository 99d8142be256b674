// What the user does on the server: it asks before what cannot be undone, reports how it ended, and offers to undo it.
import { Button, type ButtonProps, Group, Modal, type ModalProps, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCopy, type Icon as IconType } from '@tabler/icons-react';
import { type ComponentProps, useLayoutEffect, useRef, useState } from 'react';
import { messageOf } from '../util/message-of.ts';
import { control, createStore, refresh } from './connection.ts';
import { focusMain } from './route.ts';
import { Foreign, isolate } from './text.tsx';

export interface Question {
  readonly title: string;
  /** What is lost. */
  readonly text: string;
  /** The button that does it, such as "Clear the requests". */
  readonly action: string;
}

/** What a button or a command does. */
export interface Deed {
  readonly run: () => unknown;
  /** The message when it is done, such as "The fault was removed". */
  readonly done?: string | undefined;
  /** Whether the message has a button that undoes it, if it made one change of the session. Default: true. */
  readonly undo?: boolean | undefined;
  /** What is asked before, if it cannot be undone. */
  readonly ask?: Question | undefined;
  /** Shows an error where it belongs, such as at a field; called with undefined to remove it. Default: a message. */
  readonly fail?: ((message: string | undefined) => void) | undefined;
}

/** Does it, and reports how it ended. Returns whether it succeeded. */
export const act = async ({ run, done, undo = true, ask, fail }: Deed): Promise<boolean> => {
  if (ask && !(await confirm(ask))) return false;
  try {
    const takeBack = undo && done !== undefined ? await runWithUndo(run) : void (await run());
    fail?.(undefined);
    refresh(); // not all changes have events, such as those of saved states
    if (done !== undefined) notify(done, { undo: takeBack });
    return true;
  } catch (error) {
    if (fail) fail(messageOf(error));
    else notifyError(error);
    return false;
  }
};

type TakeBack = () => Promise<unknown>;

const idsOfChanges = async (): Promise<number[]> =>
  (await control.state.history()).changes.map(({ id }) => id);

/**
 * Runs what changes the session. Returns what undoes that while it is the newest change: anything else would undo changes of others
 * as well. If it made no change, or others were made meanwhile, there is no undo.
 */
const runWithUndo = async (run: Deed['run']): Promise<TakeBack | undefined> => {
  const before = (await idsOfChanges()).at(-1) ?? 0;
  await run();
  const [to, ...others] = (await idsOfChanges()).filter((id) => id > before);
  if (to === undefined || others.length > 0) return undefined;
  return async () => {
    if ((await idsOfChanges()).at(-1) !== to)
      throw new Error(
        'The session has changed since, so this change can no longer be undone by itself. See the history under Scenario.',
      );
    await control.state.undo({ to });
  };
};

/** The message with the button Undo: only the last change can be undone. */
let undoable: string | undefined;

/** Shows a message for a while. Screen readers announce it. An error stays until it is closed. */
export const notify = (
  text: string,
  { isError = false, undo }: { isError?: boolean; undo?: TakeBack | undefined } = {},
): void => {
  if (undo !== undefined && undoable !== undefined) notifications.hide(undoable);
  const onUndo = async (): Promise<void> => {
    notifications.hide(id);
    if (document.activeElement?.matches('[data-undo]')) focusMain(); // the button goes
    await undo?.().then(() => notify('Undone'), notifyError);
  };
  const id = notifications.show({
    role: isError ? 'alert' : 'status',
    color: isError ? 'red' : 'teal',
    autoClose: isError ? false : undo === undefined ? 4000 : 30_000,
    closeButtonProps: { 'aria-label': 'Dismiss' },
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text className="wrap" style={{ whiteSpace: 'pre-wrap' }}>
          <Foreign text={text} />
        </Text>
        {undo && (
          <Action run={onUndo} data-undo aria-keyshortcuts="Control+Z">
            Undo
          </Action>
        )}
      </Group>
    ),
  });
  if (undo !== undefined) undoable = id;
};

export const notifyError = (error: unknown): void => notify(messageOf(error), { isError: true });

// Ctrl+Z presses Undo. A field with text has its own.
addEventListener('keydown', (event) => {
  if (event.key !== 'z' || !(event.ctrlKey || event.metaKey)) return;
  const { target } = event;
  const isText =
    target instanceof Element && target.matches('textarea, input:not([type=checkbox], [type=radio])');
  const button = document.querySelector<HTMLElement>('[data-undo]');
  if (button === null || (isText && (target as HTMLInputElement).value !== '')) return; // it matches an input
  event.preventDefault(); // the browser would also take back what was typed last
  button.click();
});

interface Asked extends Question {
  readonly reply: (isConfirmed: boolean) => void;
}

const asking = createStore({ asked: undefined as Asked | undefined });

const confirm = (question: Question): Promise<boolean> =>
  new Promise((resolve) => {
    const reply = (isConfirmed: boolean): void => {
      asking.set({ asked: undefined });
      resolve(isConfirmed);
    };
    asking.set({ asked: { ...question, reply } });
  });

/** A dialog that Escape closes. The head that the library makes of a title would be a second banner of the page. */
export const Dialog = ({ title, children, ...rest }: ModalProps) => (
  <Modal withCloseButton={false} padding={0} {...rest}>
    <Modal.Title fw={600} mb="xs">
      {title}
    </Modal.Title>
    {children}
  </Modal>
);

/** The place where questions are asked. */
export const Confirmation = () => {
  const asked = asking.use((state) => state.asked);
  return (
    <Dialog opened={asked !== undefined} onClose={() => asked?.reply(false)} title={asked?.title}>
      <Text>{asked?.text}</Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" data-autofocus onClick={() => asked?.reply(false)}>
          Cancel
        </Button>
        <Button color="red.9" onClick={() => asked?.reply(true)}>
          {asked?.action}
        </Button>
      </Group>
    </Dialog>
  );
};

/** Something to do with one thing: a button of it, and a command of the palette. */
export interface Offer extends Deed {
  /** In full, for the palette and screen readers: `Remove *: 503`. */
  readonly name: string;
  /** The text of its button. Default: its icon alone. */
  readonly text?: string;
  readonly Icon: IconType;
}

export const Offers = ({ of }: { readonly of: readonly Offer[] }) =>
  of.map(({ name, text, ...rest }) => (
    <Action
      key={text ?? rest.Icon.displayName}
      {...rest}
      title={text === undefined ? isolate(name) : undefined}
      aria-label={isolate(name)}
    >
      {text}
    </Action>
  ));

interface ActionProps extends Deed, ButtonProps {
  /** Stands before the text, or alone; then it needs an `aria-label`. */
  readonly Icon?: IconType | undefined;
}

/**
 * A button that does something. It cannot be pressed again until that has finished. If it goes while it has the focus, the focus
 * moves to what it was in.
 */
export const Action = ({
  run,
  done,
  undo,
  ask,
  fail,
  disabled = false,
  Icon,
  children,
  ...rest
}: ActionProps & Omit<ComponentProps<'button'>, keyof ActionProps | 'onClick'>) => {
  const [isBusy, setBusy] = useState(false);
  const isIdle = isBusy || disabled;
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const element = button.current;
    return () => {
      if (element !== null && element === document.activeElement)
        element.closest<HTMLElement>(':not(button)[tabindex="-1"]')?.focus({ preventScroll: true });
    };
  }, []);
  const onClick = async (): Promise<void> => {
    if (isIdle) return;
    setBusy(true);
    await act({ run, done, undo, ask, fail });
    setBusy(false);
  };
  return (
    // Not `disabled`, which would lose the focus of the pressed button.
    <Button
      variant="default"
      size="xs"
      flex="none"
      {...(Icon && children && { leftSection: <Icon size={16} aria-hidden /> })}
      {...(!children && { px: 6 })}
      {...rest}
      ref={button}
      aria-disabled={isIdle}
      {...(isIdle && { 'data-disabled': true })}
      onClick={onClick}
    >
      {children ?? (Icon && <Icon size={16} aria-hidden />)}
    </Button>
  );
};

/** Copies a text. @throws Error with the text if the browser has no clipboard: over plain http from another host */
export const copy = async (text: string): Promise<void> => {
  const clipboard = navigator.clipboard as Clipboard | undefined; // its type says that it always exists
  if (clipboard === undefined)
    throw new Error(`Browsers copy only over HTTPS or on localhost. Copy it from here:\n${text}`);
  await clipboard.writeText(text);
};

interface CopyProps {
  readonly text: string;
  /** What is copied: `Copy as curl`. Default: `Copy`. */
  readonly label?: string;
  /** The same with its name, in a list of several: `Copy the base URL of mine`. */
  readonly 'aria-label'?: string;
}

/** A button that copies a text to the clipboard. */
export const Copy = ({ text, label = 'Copy', ...rest }: CopyProps) => (
  <Action run={() => copy(text)} done="Copied" undo={false} Icon={IconCopy} {...rest}>
    {label}
  </Action>
);

/** Downloads a text as a file. */
export const download = (name: string, text: string): void => {
  const url = URL.createObjectURL(new Blob([text]));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
};

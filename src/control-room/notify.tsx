import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { messageOf } from '../util/message-of.ts';
import { control } from './connection.ts';
import { focusMain } from './route.ts';
import { Foreign } from './text.tsx';

type TakeBack = () => Promise<unknown>;

/** The view without its filters. */
const viewHere = (): string => location.hash.replace(/\?.*/s, '');

/** The view of the messages. They go with it. */
let view = viewHere();

/** The message with the button Undo: only the last change can be undone. */
let undoable: string | undefined;

addEventListener('hashchange', () => {
  if (view !== viewHere()) notifications.clean();
  view = viewHere();
});

/** Shows a message for a while. Screen readers announce it. An error stays until it is closed. */
export const notify = (
  text: string,
  { isError = false, undo }: { isError?: boolean; undo?: TakeBack | undefined } = {},
): void => {
  view = viewHere();
  if (undo !== undefined && undoable !== undefined) notifications.hide(undoable);
  const onUndo = async (): Promise<void> => {
    notifications.hide(id);
    focusMain(); // the button goes
    await undo?.().then(
      () => notify('Undone'),
      (error: unknown) => notifyError(error),
    );
  };
  const id = notifications.show({
    role: isError ? 'alert' : 'status',
    color: isError ? 'red' : 'teal',
    autoClose: isError ? false : undo === undefined ? 4000 : 30_000,
    closeButtonProps: { 'aria-label': 'Dismiss' },
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <Foreign text={text} />
        </Text>
        {undo && (
          <Button
            size="compact-sm"
            className="fixed"
            variant="default"
            onClick={onUndo}
            data-undo
            aria-keyshortcuts="Control+Z"
          >
            Undo
          </Button>
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

const idsOfChanges = async (): Promise<number[]> =>
  (await control.state.history()).changes.map(({ id }) => id);

/**
 * Runs what changes the session. Returns what undoes that while it is the newest change: anything else would undo changes of others
 * as well.
 *
 * @param changes how many changes it makes. If others were made meanwhile, or if there are too many for the history, there is no undo
 */
const runWithUndo = async (run: () => Promise<unknown>, changes: number): Promise<TakeBack | undefined> => {
  const before = (await idsOfChanges()).at(-1) ?? 0;
  await run();
  const own = (await idsOfChanges()).filter((id) => id > before);
  const [to] = own;
  if (to === undefined || own.length !== changes) return undefined;
  return async () => {
    if ((await idsOfChanges()).at(-1) !== own.at(-1))
      throw new Error(
        'The session has changed since, so this can no longer be undone alone. See the history under Scenario.',
      );
    await control.state.undo({ to });
  };
};

export interface ActOptions {
  /** The message when it is done, such as "The fault was removed". */
  readonly done?: string | undefined;
  /** How many changes of the session it makes, which a button in the message undoes. Default: 0, without a button. */
  readonly undo?: number;
  /** Shows an error where it belongs, such as at a field; called with undefined to remove it. Default: a message. */
  readonly fail?: ((message: string | undefined) => void) | undefined;
}

/** Runs an action on the server, and reports how it ended. Returns whether it succeeded. */
export const act = async (
  run: () => Promise<unknown>,
  {
    done,
    undo = 0,
    fail = (message) => message !== undefined && notify(message, { isError: true }),
  }: ActOptions = {},
): Promise<boolean> => {
  try {
    const takeBack = undo > 0 ? await runWithUndo(run, undo) : void (await run());
    fail(undefined);
    if (done !== undefined) notify(done, { undo: takeBack });
    return true;
  } catch (error) {
    fail(messageOf(error));
    return false;
  }
};

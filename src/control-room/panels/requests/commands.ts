import { maxFound, type PanelCommands, thatFit } from '../../commands.ts';
import { confirm } from '../../confirm.tsx';
import { control } from '../../connection.ts';
import { act } from '../../notify.tsx';
import { go, toHash } from '../../route.ts';
import { keyOf } from './rows.ts';

/** Empties the journal, if the user confirms that. */
export const clearRequests = async (): Promise<void> => {
  const question = {
    title: 'Clear the requests?',
    text: 'The journal of this session is emptied. This cannot be undone.',
    action: 'Clear the requests',
  };
  if (await confirm(question))
    await act(() => control.requests.clear(), { done: 'The requests were cleared' });
};

export const commands: PanelCommands = {
  match: (text) => thatFit(text, [{ kind: 'command', text: 'Clear the requests', run: clearRequests }]),
  find: async (search, own) => {
    const found = await own.requests.list({ search }, { limit: maxFound, bodies: false, kept: true });
    return found.reverse().map((one) => ({
      kind: 'request',
      text: `${one.id} ${one.method} ${one.path}`,
      run: () => go(toHash('requests', [keyOf(one)])),
    }));
  },
};

import { Text } from '@mantine/core';
import { IconArrowBackUp, IconDeviceFloppy, IconTrash } from '@tabler/icons-react';
import { useRef } from 'react';
import { Action } from '../../action.tsx';
import { control } from '../../connection.ts';
import { TextForm } from '../../fields.tsx';
import { countOf, formatTime } from '../../format.ts';
import { Line, Lines, Section } from '../../section.tsx';
import { Foreign, isolate } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { toDelete, toReplace } from './commands.ts';

/** Saved states of the session, the newest first. */
export const SavedStates = () => {
  const list = useRef<HTMLUListElement>(null);
  const { value: states = [], reload } = useQuery('states', (own) => own.state.list());
  const save = async (name: string): Promise<void> => {
    await control.state.save(name);
    reload();
  };
  const remove = async (name: string): Promise<void> => {
    await control.state.delete(name);
    reload();
    list.current?.focus(); // the button goes
  };
  return (
    <Section
      title="Saved states"
      note={states.length === 0 && 'No saved states. The server keeps them in memory until it stops.'}
    >
      <TextForm
        mt="xs"
        aria-label="Name of the state"
        placeholder="Name"
        action="Save"
        Icon={IconDeviceFloppy}
        run={save}
        done={(name) => `The state was saved as ${name}.`}
        ask={(name) => (states.some((state) => state.name === name) ? toReplace(name) : undefined)}
      />
      <Lines ref={list} label="Saved states">
        {states.toReversed().map(({ name, scenario, now }) => (
          <Line
            key={name}
            actions={
              <>
                <Action
                  Icon={IconArrowBackUp}
                  run={() => control.state.restore(name)}
                  done={`The state ${name} was restored. The list of requests begins again.`}
                  undo={1}
                  aria-label={isolate(`Restore ${name}`)}
                >
                  Restore
                </Action>
                <Action
                  run={() => remove(name)}
                  done={`The saved state ${name} was deleted.`}
                  ask={toDelete(name)}
                  aria-label={isolate(`Delete the saved state ${name}`)}
                  Icon={IconTrash}
                />
              </>
            }
          >
            <Foreign text={name} />
            <Text size="xs" c="dimmed">
              <Foreign text={scenario} />, at {formatTime(now)}
            </Text>
          </Line>
        ))}
      </Lines>
    </Section>
  );
};

/** The last changes of the session, the newest first: each can be undone with all that came after it. */
export const History = () => {
  const { value: history } = useQuery('history', (own) => own.state.history());
  const list = useRef<HTMLUListElement>(null);
  const { changes, dropped } = history ?? { changes: [], dropped: 0 };
  const goBack = async (to: number): Promise<void> => {
    await control.state.undo({ to });
    list.current?.focus(); // the button goes
  };
  const note =
    changes.length === 0
      ? 'No changes yet. The last 20 are listed here, whoever makes them.'
      : 'Go back to before any change, and so before all later ones.';
  return (
    <Section
      title="History"
      note={dropped === 0 ? note : `${note} ${countOf(dropped, 'older change')} can no longer be undone.`}
    >
      <Lines ref={list} label="Changes, the newest first">
        {changes
          .map(({ id, what, input, at }, index) => (
            <Line
              key={id}
              actions={
                <Action
                  Icon={IconArrowBackUp}
                  run={() => goBack(id)}
                  done={`Undone: ${countOf(changes.length - index, 'change')}`}
                  aria-label={`Go back to before ${id}: ${what}`} // commands may have the same name
                >
                  Go back
                </Action>
              }
            >
              <span className="mono">
                {what}{' '}
                <span className="dimmed">
                  <Foreign text={input === '{}' ? '' : input} />
                </span>
              </span>
              <Text size="xs" c="dimmed">
                at {formatTime(at)}
              </Text>
            </Line>
          ))
          .reverse()}
      </Lines>
    </Section>
  );
};

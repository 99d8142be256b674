import { Anchor, Badge, Group, Paper, Skeleton, Text, TextInput, Title } from '@mantine/core';
import { IconSearch, IconTrash } from '@tabler/icons-react';
import { memo, useRef } from 'react';
import { defaultSession } from '../../../protocol/session-name.ts';
import { Action } from '../../action.tsx';
import { control, pageOf, session } from '../../connection.ts';
import { Copy } from '../../copy.tsx';
import { countOf } from '../../format.ts';
import { type Route, setQuery } from '../../route.ts';
import { Foreign } from '../../text.tsx';
import { toDeletion } from './deletion.ts';
import './sessions.css';

/** With more, the page would be slow; the filter finds the others. */
const maxShown = 200;

interface ListProps {
  /** The default session first. */
  readonly names: readonly string[] | undefined;
  readonly reload: () => void;
  readonly route: Route;
}

export const SessionList = ({ names, reload, route }: ListProps) => {
  const { q = '' } = route.query;
  const heading = useRef<HTMLHeadingElement>(null);
  const found = names?.filter((name) => name.toLowerCase().includes(q.toLowerCase()));
  const onDelete = useRef(() => {});
  onDelete.current = () => {
    reload();
    heading.current?.focus(); // the button goes
  };
  return (
    <Paper component="section" aria-labelledby="sessions">
      <Group justify="space-between" mb="xs">
        <Title ref={heading} id="sessions" order={2} size="h4" tabIndex={-1}>
          {names === undefined ? 'Sessions' : countOf(names.length, 'session')}
        </Title>
        {((names?.length ?? 0) > 8 || q !== '') && (
          <TextInput
            aria-label="Filter"
            placeholder="Filter"
            leftSection={<IconSearch size={16} aria-hidden />}
            value={q}
            onChange={(event) => setQuery(route, { q: event.currentTarget.value })}
          />
        )}
      </Group>
      {found === undefined && <Skeleton height={44} animate={false} />}
      {found?.length === 0 && (
        <Text size="sm" c="dimmed">
          No session contains this text.
        </Text>
      )}
      <ul className="plain-list" aria-label="Sessions">
        {found?.slice(0, maxShown).map((name) => (
          <One key={name} name={name} onDelete={onDelete} />
        ))}
      </ul>
      {found !== undefined && found.length > maxShown && (
        <Text size="sm" c="dimmed" mt="xs">
          These are the first {maxShown}. Filter to find the others.
        </Text>
      )}
    </Paper>
  );
};

interface OneProps {
  readonly name: string;
  readonly onDelete: { readonly current: () => void };
}

/** The list is loaded again every few seconds: what has not changed is not rendered again. */
const One = memo(({ name, onDelete }: OneProps) => {
  const isHere = name === session;
  const baseUrl = pageOf(name).replace(/\/__admin\/.*$/s, '/v1');
  const remove = async (): Promise<void> => {
    await control.sessions.delete(name);
    onDelete.current();
  };
  return (
    <li className="session">
      <Group gap="xs">
        {isHere ? (
          <Text fw={600} className="wrap">
            <Foreign text={name} />
          </Text>
        ) : (
          <Anchor href={pageOf(name)} aria-label={`Go to the session ${name}`} className="wrap">
            <Foreign text={name} />
          </Anchor>
        )}
        {isHere && <Badge color="teal">this page</Badge>}
      </Group>
      <Text size="sm" c="dimmed" className="mono">
        <Foreign text={baseUrl} />
      </Text>
      <Group gap="xs">
        <Copy text={baseUrl} aria-label={`Copy the base URL of ${name}`} />
        {name !== defaultSession && !isHere && (
          <Action
            run={remove}
            ask={toDeletion(name)}
            done={`The session ${name} was deleted.`}
            leftSection={<IconTrash size={16} aria-hidden />}
            aria-label={`Delete ${name}`}
          >
            Delete
          </Action>
        )}
      </Group>
      {isHere && (
        <Text size="xs" c="dimmed">
          {name === defaultSession
            ? 'It cannot be deleted.'
            : 'To delete this session, open another one first.'}
        </Text>
      )}
    </li>
  );
});

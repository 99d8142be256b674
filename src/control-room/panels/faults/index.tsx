import { Stack } from '@mantine/core';
import { control } from '../../connection.ts';
import { type Route, setQuery } from '../../route.ts';
import { useQuery } from '../../use-query.ts';
import { ExamplesList } from './examples-list.tsx';
import { FaultEditor, focusLine } from './fault-editor.tsx';
import { FaultList } from './fault-list.tsx';
import './faults.css';
import { Quotas } from './quotas.tsx';

/** The line in the editor, and the id of the fault that it replaces, are in the link: they survive a reload. */
export const FaultsPanel = ({ route }: { readonly route: Route }) => {
  const { value: faults } = useQuery('faults', (own) => own.faults.list());
  const { line = '', edit } = route.query;
  const edited = faults?.find(({ id }) => id === edit);
  const take = (taken: string, id = ''): void => {
    setQuery(route, { line: taken, edit: id });
    focusLine();
  };
  const save = async (): Promise<void> => {
    await (edited ? control.faults.update(edited.id, { fault: line }) : control.faults.add(line));
    take('');
  };
  return (
    <Stack>
      <FaultEditor
        line={line}
        setLine={(text) => setQuery(route, { line: text })}
        edited={edited}
        save={save}
        cancel={() => take('')}
      />
      <FaultList faults={faults} take={take} />
      <Quotas />
      <ExamplesList take={(example) => take(example)} />
    </Stack>
  );
};

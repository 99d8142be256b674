import { useLayoutEffect, useState } from 'preact/hooks';
import type { FaultInfo } from '../../faults/faults.ts';
import { useAsk } from '../ask.ts';
import { control } from '../live.ts';
import { Action, Card, Empty, Failure } from '../parts.tsx';
import { go, type Route, toHash } from '../route.ts';
import { type Column, Table } from '../table.tsx';
import { examples } from './faults-examples.ts';
import { Quotas } from './faults-quotas.tsx';

const inputId = 'fault-line';
const focusInput = (): void => document.getElementById(inputId)?.focus();

export const FaultsPanel = ({ route }: { readonly route: Route }) => {
  const [line, setLine] = useState(route.query.line ?? '');
  useLayoutEffect(() => {
    if (route.query.line !== undefined) setLine(route.query.line);
  }, [route.query.line]);
  const take = (example: string): void => {
    setLine(example);
    focusInput();
  };
  return (
    <>
      <FaultList>
        <AddFault line={line} setLine={setLine} isGiven={route.query.line !== undefined} />
      </FaultList>
      <Quotas />
      <Help take={take} />
    </>
  );
};

const FaultList = ({ children }: { readonly children: preact.ComponentChildren }) => {
  const { value: faults, error } = useAsk(() => control.faults.list());
  const remove = async (id: string): Promise<void> => {
    const at = faults?.findIndex((fault) => fault.id === id) ?? -1;
    const next = faults?.[at + 1] ?? faults?.[at - 1];
    await control.faults.remove(id);
    // The button disappears with its row.
    if (next === undefined) focusInput();
    else document.getElementById(`remove-${next.id}`)?.focus();
  };
  const clear = async (): Promise<void> => {
    await control.faults.clear();
    focusInput();
  };
  const columns: readonly Column<FaultInfo>[] = [
    { title: 'Fault', show: ({ fault }) => <code>{fault}</code> },
    { title: 'Calls', hint: 'How many calls matched it', isNumber: true, show: ({ calls }) => calls },
    { title: 'Hits', hint: 'How many of them it changed', isNumber: true, show: ({ hits }) => hits },
    {
      title: 'Remove',
      isUntitled: true,
      class: 'number',
      show: ({ id, fault }) => (
        <Action
          id={`remove-${id}`}
          run={() => remove(id)}
          done="The fault was removed"
          aria-label={`Remove ${fault}`}
        >
          Remove
        </Action>
      ),
    },
  ];
  return (
    <Card
      title="Faults"
      aside={
        faults !== undefined &&
        faults.length > 0 && (
          <Action run={clear} done="All faults were removed">
            Remove all
          </Action>
        )
      }
    >
      <div class="stack">
        {children}
        <Failure message={error} />
        {faults?.length === 0 && <Empty>No faults: every call gets its usual reply.</Empty>}
        {faults !== undefined && faults.length > 0 && (
          <Table class="faults" columns={columns} rows={faults} keyOf={({ id }) => id} />
        )}
      </div>
    </Card>
  );
};

interface AddFaultProps {
  readonly line: string;
  readonly setLine: (line: string) => void;
  /** Whether the line came from the URL, which is cleared after it was added. */
  readonly isGiven: boolean;
}

const AddFault = ({ line, setLine, isGiven }: AddFaultProps) => {
  const [error, setError] = useState<string>();
  const add = async (): Promise<void> => {
    await control.faults.add(line);
    setLine('');
    if (isGiven) go(toHash('faults'), { replace: true });
  };
  const fail = (message: string | undefined): void => {
    setError(message);
    focusInput();
  };
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <div class="field">
        <label for={inputId}>Add a fault</label>
        <div class="row">
          <input
            id={inputId}
            class="mono grow"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            placeholder="listRuns#3: reset"
            value={line}
            aria-invalid={error !== undefined}
            aria-describedby={error === undefined ? 'fault-grammar' : 'fault-error fault-grammar'}
            onInput={({ currentTarget: { value } }) => {
              setLine(value);
              setError(undefined);
            }}
          />
          <Action type="submit" class="main" run={add} fail={fail} done="The fault was added">
            Add
          </Action>
        </div>
        <small id="fault-grammar">
          Write which calls it affects, a colon, and what happens to them:{' '}
          <code>OPERATION[#CALLS] [CONDITION…]: KIND [OPTION…]</code>
        </small>
      </div>
      <div id="fault-error">
        <Failure message={error} />
      </div>
    </form>
  );
};

const Help = ({ take }: { readonly take: (line: string) => void }) => (
  <Card title="Examples">
    <p class="muted">
      Select an example to edit and add it. If several faults match a call, the first one wins; delays before
      it add up. Write a value with spaces as JSON: <code>message="Try again"</code>. Delays use real time,
      not the clock of the mock.
    </p>
    <div class="examples">
      {examples.map(({ title, examples: ofGroup }) => (
        <section key={title} aria-label={title}>
          <h3>{title}</h3>
          <ul>
            {ofGroup.map(({ line, does }) => (
              <li key={line}>
                <button type="button" class="plain" onClick={() => take(line)}>
                  <code>{line}</code>
                </button>
                <small>{does}</small>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  </Card>
);

import { useLayoutEffect, useState } from 'preact/hooks';
import type { FaultInfo } from '../../faults/faults.ts';
import { Name } from '../name.tsx';
import { Action, Card, Empty, Failure, Rich } from '../parts.tsx';
import { useQuery } from '../query.ts';
import { go, type Route, toHash } from '../route.ts';
import { control } from '../session.ts';
import { type Column, Table } from '../table.tsx';
import { texts } from '../texts.ts';
import { FaultForm } from './faults-form.tsx';
import { Help } from './faults-help.tsx';
import { Quotas } from './faults-quotas.tsx';

const t = texts.faults;

const inputId = 'fault-line';
const focusInput = (): void => document.getElementById(inputId)?.focus();

export const FaultsPanel = ({ route }: { readonly route: Route }) => {
  const [line, setLine] = useState(route.query.line ?? '');
  const [edited, edit] = useState<FaultInfo>();
  useLayoutEffect(() => {
    if (route.query.line !== undefined) setLine(route.query.line);
  }, [route.query.line]);
  const take = (example: string, fault?: FaultInfo): void => {
    edit(fault);
    setLine(example);
    focusInput();
  };
  return (
    <>
      <FaultList edit={(fault) => take(fault.fault, fault)}>
        <AddFault
          line={line}
          setLine={setLine}
          edited={edited}
          stopEditing={() => take('')}
          isGiven={route.query.line !== undefined}
        />
      </FaultList>
      <Quotas />
      <Help take={take} />
    </>
  );
};

const FaultList = ({
  edit,
  children,
}: {
  readonly edit: (fault: FaultInfo) => void;
  readonly children: preact.ComponentChildren;
}) => {
  const { value: rows } = useQuery('faults', (control) => control.faults.list());
  const remove = async ({ id }: FaultInfo, at: number): Promise<void> => {
    await control.faults.remove(id);
    // The button disappears with its row.
    const next = rows?.[at + 1] === undefined ? at - 1 : at + 1;
    (document.getElementById(`remove-${next}`) ?? document.getElementById(inputId))?.focus();
  };
  const clear = async (): Promise<void> => {
    await control.faults.clear();
    focusInput();
  };
  const columns: readonly Column<FaultInfo>[] = [
    {
      title: t.fault,
      show: ({ fault, unused, off }) => (
        <>
          <code>
            <Name text={fault} />
          </code>
          <small>{off ? t.off : unused && t.unused(unused)}</small>
        </>
      ),
    },
    { title: t.calls, hint: t.callsHint, isNumber: true, show: ({ calls }) => calls },
    { title: t.hits, hint: t.hitsHint, isNumber: true, show: ({ hits }) => hits },
    {
      title: texts.common.remove,
      isUntitled: true,
      class: 'number',
      show: (row) => {
        const { id, fault, off = false } = row;
        const at = rows?.indexOf(row) ?? 0;
        return (
          <div class="row">
            <Action
              role="switch"
              class="switch"
              aria-checked={!off}
              run={() => control.faults.update(id, { off: !off })}
              aria-label={t.onOff(fault)}
            >
              {t.on}
            </Action>
            <button type="button" onClick={() => edit(row)} aria-label={t.editOne(fault)}>
              {t.edit}
            </button>
            <Action
              id={`remove-${at}`}
              run={() => remove(row, at)}
              done={t.removed}
              undo={1}
              aria-label={t.removeOne(fault)}
            >
              {texts.common.remove}
            </Action>
          </div>
        );
      },
    },
  ];
  return (
    <Card
      title={t.title}
      aside={
        rows !== undefined &&
        rows.length > 0 && (
          <Action run={clear} done={t.allRemoved} undo={1}>
            {t.removeAll}
          </Action>
        )
      }
    >
      <div class="stack">
        {children}
        {rows?.length === 0 && <Empty>{t.none}</Empty>}
        {rows !== undefined && rows.length > 0 && (
          <Table class="faults" columns={columns} rows={rows} keyOf={({ id }) => id} />
        )}
      </div>
    </Card>
  );
};

interface AddFaultProps {
  readonly line: string;
  readonly setLine: (line: string) => void;
  /** The fault that the line replaces. */
  readonly edited: FaultInfo | undefined;
  readonly stopEditing: () => void;
  /** Whether the line came from the URL, which is cleared after it was added. */
  readonly isGiven: boolean;
}

const AddFault = ({ line, setLine, edited, stopEditing, isGiven }: AddFaultProps) => {
  const [error, setError] = useState<string>();
  const add = async (): Promise<void> => {
    await (edited ? control.faults.update(edited.id, { fault: line }) : control.faults.add(line));
    stopEditing();
    if (isGiven) go(toHash('faults'), { replace: true });
  };
  const change = (text: string): void => {
    setLine(text);
    setError(undefined);
  };
  const fail = (message: string | undefined): void => {
    setError(message);
    focusInput();
  };
  return (
    <form class="stack" onSubmit={(event) => event.preventDefault()}>
      <div class="field">
        <label for={inputId}>{edited ? t.editLabel : t.addLabel}</label>
        <div class="row">
          <input
            id={inputId}
            class="mono grow"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            placeholder={t.example}
            value={line}
            aria-invalid={error !== undefined}
            aria-describedby={error === undefined ? 'fault-grammar' : 'fault-error fault-grammar'}
            onInput={({ currentTarget: { value } }) => change(value)}
          />
          <Action type="submit" class="main" run={add} fail={fail} done={edited ? t.saved : t.added} undo={1}>
            {edited ? t.save : t.add}
          </Action>
          {edited && (
            <button type="button" onClick={stopEditing}>
              {texts.common.cancel}
            </button>
          )}
        </div>
        <small id="fault-grammar">
          <Rich text={t.grammar} />
        </small>
      </div>
      <div id="fault-error">
        <Failure message={error} />
      </div>
      <FaultForm line={line} setLine={change} />
    </form>
  );
};

import { quoteValue } from '../../../core/faults/tokens.ts';
import { recordsOf } from '../../kinds.ts';
import { fillPath, kindOfParameter, useOperations } from '../../openapi.ts';
import { Slot } from '../../parts.tsx';
import { useQuery } from '../../use-query.ts';
import { effects, whichCalls } from './effects.ts';
import { findCondition, readFault, readWhich, withPath, withWhich, writeFault } from './fault-line.ts';

interface SentenceProps {
  readonly line: string;
  readonly setLine: (line: string) => void;
}

/** How many owners are chosen from. */
const maxOwners = 50;

/** The line of a fault as a sentence: each choice writes the line, and a line that was typed fills the choices. */
export const Sentence = ({ line, setLine }: SentenceProps) => {
  const operations = useOperations() ?? [];
  const parts = readFault(line);
  const operation = operations.find(({ id }) => id === parts.operation);
  const [owner] = operation?.parameters.filter((parameter) => parameter.in === 'path') ?? [];
  const kind = owner && kindOfParameter[owner.name];
  const { value: owners = [] } = useQuery(['owners', kind], async (own) =>
    kind === undefined ? [] : (await recordsOf(kind, own).list({ limit: maxOwners })).map(({ id }) => id),
  );
  const pathOf = (id: string): string =>
    `path=${quoteValue(`/v1${fillPath(operation?.path ?? '', { [owner?.name ?? '']: id })}`)}`;
  return (
    <div className="sentence" role="group" aria-label="The fault as a sentence">
      For
      <Slot
        label="Operation"
        value={parts.operation}
        choices={[
          { value: '*', label: 'any operation' },
          ...operations.map(({ id }) => ({ value: id, label: id })),
        ]}
        choose={(value) => setLine(writeFault(withPath({ ...parts, operation: value }, '')))}
      />
      {kind && (
        <Slot
          label="Of which"
          value={findCondition(parts, 'path')}
          choices={[
            { value: '', label: `of any of the ${kind}` },
            ...owners.map((id) => ({ value: pathOf(id), label: `of ${id}` })),
          ]}
          choose={(value) => setLine(writeFault(withPath(parts, value)))}
        />
      )}
      ,
      <Slot
        label="Which calls"
        value={readWhich(parts)}
        choices={whichCalls}
        choose={(value) => setLine(writeFault(withWhich(parts, value)))}
      />
      ,
      <Slot
        label="Effect"
        value={parts.effect}
        choices={[
          { value: '', label: 'choose an effect' },
          ...effects.map(({ text, effect }) => ({ value: effect, label: text })),
        ]}
        choose={(effect) => setLine(writeFault({ ...parts, effect }))}
      />
    </div>
  );
};

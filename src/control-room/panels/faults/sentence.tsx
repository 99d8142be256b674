import { quoteValue } from '../../../core/faults/tokens.ts';
import { fillPath, kindOfParameter, useIds, useOperations } from '../../openapi.ts';
import { Slot } from '../../parts.tsx';
import { setQuery, useRoute } from '../../route.ts';
import { effects, whichCalls } from './effects.ts';
import { findCondition, readFault, readWhich, withPath, withWhich, writeFault } from './fault-line.ts';

/** The line of a fault as a sentence: each choice writes the line, and a line that was typed fills the choices. */
export const Sentence = () => {
  const operations = useOperations() ?? [];
  const parts = readFault(useRoute().query.line ?? '');
  const operation = operations.find(({ id }) => id === parts.operation);
  const [owner] = operation?.parameters.filter((parameter) => parameter.in === 'path') ?? [];
  const kind = owner && kindOfParameter[owner.name];
  const owners = useIds(owner?.name ?? '');
  const pathOf = (id: string): string =>
    `path=${quoteValue(`/v1${fillPath(operation?.path ?? '', { [owner?.name ?? '']: id })}`)}`;
  const set = (changed: typeof parts): void => setQuery({ line: writeFault(changed) });
  return (
    <div className="sentence" role="group" aria-label="The fault as a sentence">
      For
      <Slot
        aria-label="Operation"
        value={parts.operation}
        choices={[['*', 'any operation'], ...operations.map(({ id }) => id)]}
        choose={(value) => set(withPath({ ...parts, operation: value }, ''))}
      />
      {kind && (
        <Slot
          aria-label="Of which"
          value={findCondition(parts, 'path')}
          choices={[['', `of any of the ${kind}`], ...owners.map((id) => [pathOf(id), `of ${id}`] as const)]}
          choose={(value) => set(withPath(parts, value))}
        />
      )}
      ,
      <Slot
        aria-label="Which calls"
        value={readWhich(parts)}
        choices={whichCalls}
        choose={(value) => set(withWhich(parts, value))}
      />
      ,
      <Slot
        aria-label="Effect"
        data-empty={parts.effect === '' || undefined}
        value={parts.effect}
        choices={[['', 'choose an effect'], ...effects]}
        choose={(effect) => set({ ...parts, effect })}
      />
    </div>
  );
};

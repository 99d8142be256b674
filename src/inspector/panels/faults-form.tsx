import { useState } from 'preact/hooks';
import { conditionNames, effectKinds, usualWords } from '../../faults/kinds.ts';
import { Field, Select } from '../fields.tsx';
import { operations } from '../operations.ts';
import { texts } from '../texts.ts';
import { type FaultParts, optionsOf, readFault, withKind, writeFault } from './faults-line.ts';

const t = texts.faults;

/** The line of a fault as fields: each change writes the line, and a line that was typed fills the fields. */
export const FaultForm = ({
  line,
  setLine,
}: {
  readonly line: string;
  readonly setLine: (line: string) => void;
}) => {
  const parts = readFault(line);
  const shown = parts ?? readFault('');
  if (shown === undefined) return null;
  const { operation, calls, kind, word, conditions, patterns, options, headers } = shown;
  const set = (changed: Partial<FaultParts>): void => setLine(writeFault({ ...shown, ...changed }));
  const wordKind = kind === 'error' ? kind : usualWords[kind] === undefined ? undefined : kind;
  const names = optionsOf(kind);
  // Besides those that there are, what was typed.
  const ids = new Set([...operations.map(({ id }) => id), operation]);
  ids.delete('*');
  return (
    <fieldset class="stack" aria-label={t.form} disabled={parts === undefined}>
      <div class="row ends">
        <Select
          label={t.operation}
          value={operation}
          options={[['*', t.anyOperation], ...ids]}
          set={(id) => set({ operation: id })}
        />
        <Text label={t.which} hint={t.whichHint} text={calls} set={(text) => set({ calls: text })} />
        <Select
          label={t.kind}
          value={kind}
          options={[['error', t.error], ...new Set([...effectKinds, kind].filter((one) => one !== 'error'))]}
          set={(one) => setLine(writeFault(withKind(shown, one)))}
        />
        {wordKind && (
          <Text
            label={t.words[wordKind] ?? t.status}
            hint={usualWords[kind] ?? ''}
            text={word}
            set={(text) => set({ word: text })}
          />
        )}
        {names?.map((name) => (
          <Text
            key={name}
            label={name}
            text={options[name]}
            set={(text) => set({ options: { ...options, [name]: text } })}
          />
        ))}
        {names && (
          <Text
            label={t.headers}
            hint={t.headersHint}
            text={headers}
            set={(text) => set({ headers: text })}
          />
        )}
      </div>
      <details>
        <summary>{t.conditions}</summary>
        <div class="row ends">
          {conditionNames.map((name) => (
            <Text
              key={name}
              label={t.conditionNames[name]}
              hint={t.conditionHints[name]}
              text={conditions[name]}
              set={(text) => set({ conditions: { ...conditions, [name]: text } })}
            />
          ))}
          <Text
            label={t.patterns}
            hint={t.patternsHint}
            text={patterns}
            set={(text) => set({ patterns: text })}
          />
        </div>
      </details>
    </fieldset>
  );
};

/** A text of the form. While it has the focus it keeps what is typed, such as a space at its end. */
const Text = ({
  label,
  hint,
  text = '',
  set,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly text?: string | undefined;
  readonly set: (text: string) => void;
}) => {
  const [typed, setTyped] = useState<string>();
  return (
    <Field label={label}>
      <input
        class="mono"
        autocomplete="off"
        spellcheck={false}
        placeholder={hint}
        size={Math.max(12, hint?.length ?? 0)}
        value={typed ?? text}
        onInput={({ currentTarget: { value } }) => {
          setTyped(value);
          set(value);
        }}
        onBlur={() => setTyped(undefined)}
      />
    </Field>
  );
};

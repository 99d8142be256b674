import { useState } from 'preact/hooks';
import { Field, useText } from '../fields.tsx';
import { control, session } from '../live.ts';
import { Action, Card, Empty, Failure } from '../parts.tsx';

/** The server does not list saved states. The page knows only those that it saved itself. */
const key = `gateway-mock-saved-${session}`;
const readNames = (): string[] => sessionStorage.getItem(key)?.split('\n') ?? [];

/** Saved states of the session. */
export const SavedStates = () => {
  const { text, setText, error, setError, input } = useText();
  const [names, setNames] = useState(readNames);
  const chosen = text.trim();
  const save = async (): Promise<void> => {
    await control.state.save(chosen);
    const next = [chosen, ...names.filter((one) => one !== chosen)].slice(0, 20);
    sessionStorage.setItem(key, next.join('\n'));
    setNames(next);
    setText('');
  };
  return (
    <Card title="Saved states">
      <form class="row" onSubmit={(event) => event.preventDefault()}>
        <Field label="Name">
          <input {...input} />
        </Field>
        <Action
          type="submit"
          run={save}
          fail={setError}
          disabled={chosen === ''}
          done={`The state was saved as ${chosen}.`}
        >
          Save this state
        </Action>
        <Restore name={chosen} label={`Restore ${chosen || 'the state of this name'}`} fail={setError} />
      </form>
      <Failure message={error} />
      {names.length === 0 ? (
        <Empty>No saved states. The server keeps them in memory until it stops.</Empty>
      ) : (
        <ul class="plain-list scenarios" aria-label="Saved states">
          {names.map((one) => (
            <li key={one}>
              <span>{one}</span>
              <Restore name={one} label={`Return to ${one}`} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
};

const Restore = ({
  name,
  label,
  ...rest
}: {
  readonly name: string;
  readonly label: string;
  readonly fail?: (message: string | undefined) => void;
}) => (
  <Action
    {...rest}
    run={() => control.state.restore(name)}
    disabled={name === ''}
    done={`The state ${name} was restored.`}
    aria-label={label}
  >
    Restore
  </Action>
);

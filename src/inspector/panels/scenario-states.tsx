import { Field, useText } from '../fields.tsx';
import { askAnew } from '../live.ts';
import { Name } from '../name.tsx';
import { Action, Card, Empty, Failure, formatTime } from '../parts.tsx';
import { useQuery } from '../query.ts';
import { control } from '../session.ts';
import { texts } from '../texts.ts';

const t = texts.scenario;

/** Saved states of the session. */
export const SavedStates = () => {
  const { text, setText, error, setError, input } = useText();
  const { value: states } = useQuery('states', (control) => control.state.list());
  const chosen = text.trim();
  const save = async (): Promise<void> => {
    await control.state.save(chosen);
    askAnew();
    setText('');
  };
  return (
    <Card title={t.states}>
      <form class="row" onSubmit={(event) => event.preventDefault()}>
        <Field label={texts.common.name}>
          <input {...input} />
        </Field>
        <Action type="submit" run={save} fail={setError} disabled={chosen === ''} done={t.saved(chosen)}>
          {t.saveState}
        </Action>
        <Restore name={chosen} label={t.restoreOne(chosen)} fail={setError} />
      </form>
      <Failure message={error} />
      {states?.length === 0 ? (
        <Empty>{t.noStates}</Empty>
      ) : (
        <ul class="plain-list scenarios" aria-label={t.states}>
          {states?.toReversed().map(({ name, scenario, now }) => (
            <li key={name}>
              <span>
                <Name text={name} /> <small class="muted">{t.savedAt(scenario, formatTime(now))}</small>
              </span>
              <Restore name={name} label={t.returnTo(name)} />
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
    done={t.restored(name)}
    undo={1}
    aria-label={label}
  >
    {t.restore}
  </Action>
);

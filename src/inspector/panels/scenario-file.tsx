import { useRef, useState } from 'preact/hooks';
import type { ScenarioInfo } from '../../control/types.ts';
import { messageOf } from '../../util/message-of.ts';
import { tryParse } from '../../util/try-parse.ts';
import { Field } from '../fields.tsx';
import { notify } from '../messages.ts';
import { Action, Card, download, Failure } from '../parts.tsx';
import { fetchHere } from '../session.ts';
import { texts } from '../texts.ts';
import { runWithUndo } from '../undo.ts';

const t = texts.scenario;

/** Saves the present state as a scenario file, or loads one. The server reads and writes YAML, so that the page needs no parser. */
const callFile = async (path: string, init?: RequestInit): Promise<string> => {
  const response = await fetchHere(path, init);
  const text = await response.text();
  if (!response.ok) throw new Error(Object(tryParse(text)).message ?? texts.app.returned(response.status));
  return text;
};

/** Buttons that download the present state under the name of its scenario. */
export const SaveAs = ({ name }: { readonly name: string }) => (
  <>
    {(['yaml', 'json'] as const).map((type) => {
      const file = `${name}.${type}`;
      return (
        <Action key={type} run={async () => download(file, await callFile(`state/file?format=${type}`))}>
          {t.saveAs[type]}
        </Action>
      );
    })}
  </>
);

/** Loads a scenario file under its own name. */
export const FromFile = () => {
  const [mistake, setMistake] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const load = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    try {
      const path = `scenario/file?name=${encodeURIComponent(file.name)}`;
      let body = '';
      const undo = await runWithUndo(async () => {
        body = await callFile(path, { method: 'POST', body: file });
      }, 1);
      setMistake(undefined);
      const { name } = JSON.parse(body) as ScenarioInfo;
      notify(t.isLoaded(name), 'good', undo);
    } catch (error) {
      setMistake(messageOf(error));
    }
    if (input.current) input.current.value = ''; // so that the same file can be chosen again after it was corrected
  };
  return (
    <Card title={t.file}>
      <Failure message={mistake} />
      <Field label={t.fileLabel} hint={t.fileHint}>
        <input
          ref={input}
          type="file"
          accept=".yaml,.yml,.json"
          onChange={({ currentTarget }) => void load(currentTarget.files?.[0])}
        />
      </Field>
    </Card>
  );
};

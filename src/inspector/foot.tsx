import { signal } from '@preact/signals';
import { Select } from './fields.tsx';
import { download } from './parts.tsx';
import { useQuery } from './query.ts';
import { credential, fetchHere, root } from './session.ts';
import { texts } from './texts.ts';

const t = texts.foot;

const key = 'gateway-mock-theme';
const theme = signal(localStorage.getItem(key) ?? '');

const setTheme = (name: string): void => {
  theme.value = name;
  localStorage.setItem(key, name);
  applyTheme();
};

/** Applies the chosen colours; by default, those of the system. */
const applyTheme = (): void => {
  document.documentElement.style.colorScheme = theme.value;
};
applyTheme();

/** A link cannot send the token, so the document is downloaded instead. */
const openWithToken = async (event: Event): Promise<void> => {
  event.preventDefault();
  download('openapi.json', await (await fetchHere('openapi.json')).text());
};

/** The version, the APIs, and the colours. The docs have no address: they are in the package. */
export const Foot = () => {
  const { value } = useQuery(
    'version',
    async () => ((await (await fetchHere('health')).json()) as Health).version,
  );
  return (
    <footer>
      <Select label={t.theme} value={theme.value} options={Object.entries(t.themes)} set={setTheme} />
      <a href={`${root}/openapi.json`}>{t.gatewayApi}</a>
      <a href="openapi.json" onClick={credential.value.token === undefined ? undefined : openWithToken}>
        {t.adminApi}
      </a>
      <small>{value}</small>
    </footer>
  );
};

interface Health {
  readonly version?: string;
}

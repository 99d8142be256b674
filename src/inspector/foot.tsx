import { signal } from '@preact/signals';
import { Select } from './fields.tsx';
import { useQuery } from './query.ts';
import { fetchHere } from './session.ts';
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

/** The version, the docs, and the colours. */
export const Foot = () => {
  const { value } = useQuery(
    'version',
    async () => ((await (await fetchHere('health')).json()) as Health).version,
  );
  return (
    <footer>
      <Select label={t.theme} value={theme.value} options={Object.entries(t.themes)} set={setTheme} />
      <a href="openapi.json">{t.docs}</a>
      <small>{value}</small>
    </footer>
  );
};

interface Health {
  readonly version?: string;
}

import { type CSSVariablesResolver, colorsTuple, createTheme } from '@mantine/core';

/** Sizes that the library's own scale does not have. */
const withVariables = (part: string, variables: Readonly<Record<string, string>>) => ({
  vars: () => ({ [part]: variables }),
});

export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 5 },
  colors: {
    accent: colorsTuple(
      '#edf0fe #dfe4fd #c3ccf9 #a5b4ff #7c8df0 #5068e6 #4059d6 #3049c4 #2b41b0 #25389a'.split(' '),
    ),
    gray: colorsTuple(
      '#f7f8fa #f3f4f7 #e4e7ec #d3d8e0 #d3d8e0 #8d95a3 #646c7a #545c69 #474e5b #171a21'.split(' '),
    ),
    dark: colorsTuple(
      '#e6e8ec #b3bac6 #929baa #78818f #39404c #272c35 #171a20 #171a20 #12151a #0f1115'.split(' '),
    ),
  },
  autoContrast: true,
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "'JetBrains Mono Variable', ui-monospace, monospace",
  fontWeights: { regular: '400', medium: '500', bold: '600' },
  fontSizes: { xs: '12px', sm: '13px', md: '13px', lg: '15px', xl: '20px' },
  lineHeights: { xs: '16px', sm: '20px', md: '20px', lg: '22px', xl: '28px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  defaultRadius: 'sm',
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '28px' },
      h2: { fontSize: '13px', lineHeight: '20px' },
      h3: { fontSize: '12px', lineHeight: '16px' },
    },
  },
  components: {
    ActionIcon: { defaultProps: { variant: 'default', size: 28 } },
    Badge: {
      defaultProps: { variant: 'light', tt: 'none', fw: 500, lts: 0, style: { verticalAlign: 'middle' } },
    },
    Button: {
      defaultProps: { fw: 500 },
      ...withVariables('root', { '--button-height': '28px', '--button-padding-x': '10px' }),
    },
    Chip: {
      defaultProps: { size: 'xs', variant: 'light', icon: null },
      ...withVariables('root', { '--chip-size': '28px', '--chip-padding': '10px' }),
    },
    Input: withVariables('wrapper', { '--input-height': '28px' }),
    Kbd: { defaultProps: { size: 'xs', fw: 400, style: { borderBottomWidth: 1 } } },
    Menu: { defaultProps: { shadow: 'md' } },
    NavLink: {
      styles: {
        root: { gap: 10, height: 30, padding: '0 8px', borderRadius: 6 },
        section: { margin: 0 },
      },
    },
    Paper: { defaultProps: { withBorder: true, p: 'md', radius: 'md' } },
    Skeleton: { defaultProps: { animate: false, height: 160, opacity: 0.5 } },
    Table: { defaultProps: { verticalSpacing: 'xs' } },
    Tabs: { styles: { tab: { padding: '6px 8px' } } },
    Text: { defaultProps: { size: 'sm' } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 400 } },
  },
});

/** What a colour means: as text, as its ground, and as a dot or bar, which needs a contrast of 3:1. */
type Tone = readonly [text: string, soft: string, fill: string];

/** The names of the tones here, and of the library's colours. */
const tones = {
  accent: 'accent',
  ok: 'teal',
  info: 'blue',
  warn: 'orange',
  bad: 'red',
  idle: 'gray',
} as const;

const toVariables = (
  colours: Readonly<Record<string, string>>,
  byTone: Readonly<Record<keyof typeof tones, Tone>>,
): Record<string, string> => {
  const variables: Record<string, string> = { ...colours };
  for (const [name, [text, soft, fill]] of Object.entries(byTone)) {
    const color = tones[name as keyof typeof tones]; // its keys
    Object.assign(variables, {
      [`--${name}`]: text,
      [`--${name}-soft`]: soft,
      [`--${name}-fill`]: fill,
      [`--mantine-color-${color}-light`]: soft,
      [`--mantine-color-${color}-light-color`]: text,
      [`--mantine-color-${color}-filled`]: fill,
    });
  }
  return variables;
};

export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: toVariables(
    {
      '--page': '#f7f8fa',
      '--sunk': '#f3f4f7',
      '--line': '#e4e7ec',
      '--line-within': '#eef0f3',
      '--edge': '#d3d8e0',
      '--ink2': '#474e5b',
      '--mantine-color-text': '#171a21',
      '--mantine-color-dimmed': '#646c7a',
      '--mantine-color-placeholder': '#646c7a',
      '--mantine-color-anchor': '#2b41b0',
      '--mantine-color-error': '#b0241c',
      '--mantine-color-default-border': '#e4e7ec',
      '--mantine-color-default-hover': '#f5f6f9',
    },
    {
      accent: ['#2b41b0', '#edf0fe', '#3049c4'],
      ok: ['#08704a', '#e5f5ed', '#1fa36b'],
      info: ['#1a5c9e', '#e6f0fb', '#4b97e0'],
      warn: ['#8a4700', '#fdf2df', '#cb780c'],
      bad: ['#b0241c', '#fdeceb', '#df4a40'],
      idle: ['#545c69', '#eef0f3', '#8d95a3'],
    },
  ),
  dark: toVariables(
    {
      '--page': '#0f1115',
      '--sunk': '#12151a',
      '--line': '#272c35',
      '--line-within': '#21262e',
      '--edge': '#39404c',
      '--ink2': '#b3bac6',
      '--mantine-color-text': '#e6e8ec',
      '--mantine-color-dimmed': '#929baa',
      '--mantine-color-placeholder': '#929baa',
      '--mantine-color-anchor': '#a5b4ff',
      '--mantine-color-error': '#ff958c',
      '--mantine-color-default-border': '#272c35',
      '--mantine-color-default-hover': '#1c2027',
    },
    {
      accent: ['#a5b4ff', '#1e2546', '#5068e6'],
      ok: ['#62d29c', '#12291f', '#2fae77'],
      info: ['#84bdf7', '#14253a', '#4b97e0'],
      warn: ['#f2b761', '#2d2211', '#d98f2b'],
      bad: ['#ff958c', '#341a19', '#e5574d'],
      idle: ['#b3bac6', '#232831', '#78818f'],
    },
  ),
});

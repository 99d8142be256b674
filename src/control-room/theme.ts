import { type CSSVariablesResolver, colorsTuple, createTheme } from '@mantine/core';

declare module 'react' {
  interface CSSProperties {
    readonly [variable: `--${string}`]: string;
  }
}

export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 5 },
  colors: {
    accent: colorsTuple(
      '#edf0fe #dfe4fd #c3ccf9 #a5b4ff #7c8df0 #5068e6 #4059d6 #3049c4 #2b41b0 #25389a'.split(' '),
    ),
    gray: colorsTuple(
      '#f7f8fa #f3f4f7 #eef0f3 #e4e7ec #d3d8e0 #8d95a3 #646c7a #545c69 #474e5b #171a21'.split(' '),
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
  // The variables are sizes that the library's own scale does not have.
  components: {
    Badge: {
      defaultProps: { variant: 'light', tt: 'none', fw: 500, lts: 0, style: { verticalAlign: 'middle' } },
    },
    Button: {
      defaultProps: { fw: 500, variant: 'default' },
      vars: () => ({ root: { '--button-height': '28px', '--button-padding-x': '10px' } }),
    },
    Chip: {
      defaultProps: { size: 'xs', variant: 'outline', icon: null },
      vars: () => ({ root: { '--chip-size': '28px', '--chip-padding': '10px' } }),
    },
    Input: { vars: () => ({ wrapper: { '--input-height': '28px' } }) },
    Kbd: { defaultProps: { size: 'xs', fw: 400, style: { borderBottomWidth: 1 } } },
    Menu: { defaultProps: { shadow: 'md' } },
    NavLink: {
      styles: { root: { gap: 10, height: 30, padding: '0 8px', borderRadius: 6 }, section: { margin: 0 } },
    },
    Paper: { defaultProps: { withBorder: true, p: 'md', radius: 'md' } },
    Skeleton: { defaultProps: { animate: false, height: 160, opacity: 0.5 } },
    Tabs: { styles: { tab: { padding: '6px 8px' } } },
    Text: { defaultProps: { size: 'sm' } },
    TextInput: { defaultProps: { autoComplete: 'off' } },
  },
});

/** Colours in light and in dark. */
const colours: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  page: ['#f7f8fa', '#0f1115'],
  sunk: ['#f3f4f7', '#12151a'],
  line: ['#e4e7ec', '#272c35'],
  'line-within': ['#eef0f3', '#21262e'],
  ink2: ['#474e5b', '#b3bac6'],
  'mantine-color-text': ['#171a21', '#e6e8ec'],
  'mantine-color-dimmed': ['#646c7a', '#929baa'],
  'mantine-color-placeholder': ['#646c7a', '#929baa'],
  'mantine-color-anchor': ['#2b41b0', '#a5b4ff'],
  'mantine-color-error': ['#b0241c', '#ff958c'],
  'mantine-color-default-border': ['#d3d8e0', '#39404c'],
  'mantine-color-default-hover': ['#f5f6f9', '#1c2027'],
};

/**
 * The colours of a meaning, in light and in dark: as text, as its ground, and as a dot or bar, which needs a contrast of 3:1. The
 * library's colour of that meaning gets the same.
 */
const tones = [
  ['accent', 'accent', '#2b41b0 #edf0fe #3049c4', '#a5b4ff #1e2546 #5068e6'],
  ['ok', 'teal', '#08704a #e5f5ed #1fa36b', '#62d29c #12291f #2fae77'],
  ['info', 'blue', '#1a5c9e #e6f0fb #4b97e0', '#84bdf7 #14253a #4b97e0'],
  ['warn', 'orange', '#8a4700 #fdf2df #cb780c', '#f2b761 #2d2211 #d98f2b'],
  ['bad', 'red', '#b0241c #fdeceb #df4a40', '#ff958c #341a19 #e5574d'],
  ['idle', 'gray', '#545c69 #eef0f3 #8d95a3', '#b3bac6 #232831 #78818f'],
] as const;

const toVariables = (isDark: boolean): Record<string, string> => {
  const variables: Record<string, string> = {};
  for (const [name, [light, dark]] of Object.entries(colours)) variables[`--${name}`] = isDark ? dark : light;
  for (const [tone, color, light, dark] of tones) {
    const [text = '', soft = '', fill = ''] = (isDark ? dark : light).split(' ');
    variables[`--${tone}`] = variables[`--mantine-color-${color}-light-color`] = text;
    variables[`--${tone}-soft`] = soft;
    variables[`--mantine-color-${color}-light`] = variables[`--mantine-color-${color}-light-hover`] = soft;
    variables[`--${tone}-fill`] = variables[`--mantine-color-${color}-filled`] = fill;
  }
  return variables;
};

export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: toVariables(false),
  dark: toVariables(true),
});

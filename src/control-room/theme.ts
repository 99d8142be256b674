import { type CSSVariablesResolver, createTheme } from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 8 },
  autoContrast: true,
  cursorType: 'pointer',
  respectReducedMotion: true,
  defaultRadius: 'sm',
  fontWeights: { regular: '400', medium: '500', bold: '700' },
  components: {
    ActionIcon: { defaultProps: { variant: 'default', size: 'input-sm' } },
    Badge: { defaultProps: { variant: 'light', tt: 'none', style: { verticalAlign: 'middle' } } },
    Menu: { defaultProps: { shadow: 'md' } },
    NavLink: { defaultProps: { bdrs: 'sm' } },
    Paper: { defaultProps: { withBorder: true, p: 'md' } },
    Skeleton: { defaultProps: { animate: false, height: 160 } },
    SegmentedControl: { defaultProps: { transitionDuration: 0 } },
    Table: { defaultProps: { verticalSpacing: 'xs' } },
    Text: { defaultProps: { size: 'sm' } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 400 } },
  },
});

/** The library's own values of these have less contrast than 4.5:1. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#545b62',
    '--mantine-color-placeholder': '#616870',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-gray-light-color': '#495057',
    '--mantine-color-teal-light-color': '#065f46',
    '--mantine-color-red-light-color': '#a51111',
    '--mantine-color-orange-light-color': '#943a00',
    '--mantine-color-yellow-light-color': '#7a4b00',
    '--mantine-color-blue-light-color': '#14539a',
    '--mantine-color-indigo-light-color': '#2f44ad',
  },
  dark: {
    '--mantine-color-dimmed': '#a3a3a3',
    '--mantine-color-placeholder': '#a3a3a3',
    '--mantine-color-anchor': '#91a7ff',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-gray-light-color': '#ced4da',
    '--mantine-color-indigo-light-color': '#bac8ff',
    '--mantine-color-red-light-color': '#ffa8a8',
    '--mantine-color-blue-light-color': '#a5d8ff',
  },
});

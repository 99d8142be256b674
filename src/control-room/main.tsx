// The control room: the page at /__admin/, which shows and controls the mock through the admin API.
import './mantine.css';
import './fonts.css';
import './app.css';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { start } from './live.ts';
import { theme, variables } from './theme.ts';

const colorSchemes = localStorageColorSchemeManager({ key: 'gateway-mock-theme' });
const element = document.getElementById('app');
if (element !== null)
  createRoot(element).render(
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      colorSchemeManager={colorSchemes}
      defaultColorScheme="auto"
    >
      <Notifications position="bottom-left" containerWidth={340} />
      <App />
    </MantineProvider>,
  );
start();

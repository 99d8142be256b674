// The page at /__admin/, which shows and controls the mock through the admin API.
import { render } from 'preact';
import { App } from './app.tsx';
import { start } from './live.ts';

const root = document.getElementById('app');
if (root !== null) render(<App />, root);
start();

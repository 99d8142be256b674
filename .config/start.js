// `npm start`: bundles what was changed, and serves it in this same process, whose signals and exit code are then those of
// the command line on every system. Type declarations, which take most of the time of a build, stay as they are.
import { stop } from 'esbuild';
import { bundle } from './bundle.js';

await bundle('dist');
await stop(); // its process would else stay beside the server
await import(new URL('../dist/cli.js', import.meta.url).href);

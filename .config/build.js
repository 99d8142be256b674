// `npm run build`: bundles each door of `src/` into `dist/`, and writes its type declarations beside it.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import ts from 'typescript';
import { compileShipped, shippedModule } from './shipped.js';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const doors = ['index', 'node', 'server', 'cli'].map((door) => `src/${door}.ts`);

/** @type {import('esbuild').Plugin} */
const shipped = {
  name: 'shipped',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^${shippedModule}$`) }, ({ path }) => ({ path, namespace: 'shipped' }));
    onLoad({ filter: /.*/, namespace: 'shipped' }, () => ({ contents: compileShipped() }));
  },
};

rmSync('dist', { recursive: true, force: true });
await build({
  entryPoints: doors,
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'neutral',
  target: 'node20',
  packages: 'external',
  external: ['node:*'],
  plugins: [shipped],
});

const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, '.');
const program = ts.createProgram([...doors, 'src/virtual-shipped.d.ts'], {
  ...options,
  noEmit: false,
  declaration: true,
  emitDeclarationOnly: true,
  rootDir: 'src',
  outDir: 'dist',
});
const { diagnostics } = program.emit();
const mistakes = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
if (mistakes.length > 0) {
  console.error(
    ts.formatDiagnostics(mistakes, {
      getCanonicalFileName: (f) => f,
      getCurrentDirectory: () => '.',
      getNewLine: () => '\n',
    }),
  );
  process.exit(1);
}

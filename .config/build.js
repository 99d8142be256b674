// `npm run build`: bundles each door of `src/` into `dist/`, and writes its type declarations beside it.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, doors } from './bundle.js';
import { collectLicences } from './licences.js';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const { metafile } = await bundle(fileURLToPath(new URL('../dist', import.meta.url)));
if (!process.argv.includes('--no-types')) {
  process.stderr.write('Writing type declarations …\n'); // it takes some seconds
  writeFileSync('dist/THIRD-PARTY-LICENCES.txt', collectLicences(metafile, '.'));
  await writeDeclarations();
}

async function writeDeclarations() {
  const { default: ts } = await import('typescript');
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, '.');
  const program = ts.createProgram(
    [...doors, 'src/virtual-shipped.d.ts', 'src/virtual-inspector.d.ts', 'src/virtual-commands.d.ts'],
    {
      ...options,
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: 'src',
      outDir: 'dist',
    },
  );
  // Those of files that have been renamed since.
  for (const file of readdirSync('dist', { recursive: true, encoding: 'utf8' }))
    if (file.endsWith('.d.ts')) rmSync(join('dist', file));
  const mistakes = [...ts.getPreEmitDiagnostics(program), ...program.emit().diagnostics];
  if (mistakes.length === 0) return;
  const host = { getCanonicalFileName: String, getCurrentDirectory: () => '.', getNewLine: () => '\n' };
  console.error(ts.formatDiagnostics(mistakes, host));
  process.exit(1);
}

// The type declarations of the package: those that TypeScript emits, without what no entry point reaches. So they need no zod.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import ts from 'typescript';

/**
 * Writes the declarations of the entry points, which are files of `src`, into `dist`.
 *
 * @param {readonly string[]} entryPoints
 * @param {readonly string[]} commonJs those of them that are CommonJS, too
 */
export const writeDeclarations = (entryPoints, commonJs) => {
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const { options: given } = ts.convertCompilerOptionsFromJson(config.compilerOptions, '.');
  const emit = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: 'src',
    outDir: 'dist',
  };
  const ambient = ['virtual-shipped', 'virtual-openapi', 'virtual-control-room', 'jest-globals'].map(
    (name) => `src/${name}.d.ts`,
  );
  const program = ts.createProgram([...entryPoints, ...ambient], { ...given, ...emit });
  /** @type {Map<string, ts.SourceFile>} */
  const files = new Map();
  const { diagnostics } = program.emit(undefined, (file, text) =>
    files.set(resolve(file), ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)),
  );
  const errors = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
  if (errors.length > 0) throw new Error(ts.formatDiagnostics(errors, ts.createCompilerHost(given)));

  for (const file of readdirSync('dist', { recursive: true, encoding: 'utf8' }))
    if (/\.d\.c?ts$/.test(file)) rmSync(`dist/${file}`); // of builds before
  for (const [file, text] of keepReached(files, entryPoints.map(toOutput))) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const checker = program.getTypeChecker();
  for (const file of commonJs) {
    const source = program.getSourceFile(file);
    const symbol = source && checker.getSymbolAtLocation(source);
    const module = `import('./${basename(file, '.ts')}.js', { with: { 'resolution-mode': 'import' } })`;
    const lines = (symbol ? checker.getExportsOfModule(symbol) : []).map((one) => {
      const { name, flags } = one.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(one) : one;
      return flags & ts.SymbolFlags.Value
        ? `export declare const ${name}: typeof ${module}.${name};\n`
        : `export type ${name} = ${module}.${name};\n`;
    });
    writeFileSync(toOutput(file).replace(/\.d\.ts$/, '.d.cts'), lines.join(''));
  }
};

/** @param {string} file */
const toOutput = (file) => resolve(file.replace(/^src/, 'dist').replace(/\.ts$/, '.d.ts'));

/**
 * Of each file the text that the entry points reach by names.
 *
 * @param {ReadonlyMap<string, ts.SourceFile>} files
 * @param {readonly string[]} entryPoints
 * @returns {Map<string, string>}
 */
const keepReached = (files, entryPoints) => {
  /** @type {Set<ts.Node>} */
  const kept = new Set();
  const visit = (/** @type {string} */ path, /** @type {string} */ name) => {
    for (const statement of files.get(path)?.statements ?? [])
      for (const node of namedIn(statement).filter((one) => one.name?.getText() === name && !kept.has(one))) {
        kept.add(node).add(statement);
        if (!isLink(statement)) visitNames(path, statement);
        else
          visit(fileOf(path, statement.moduleSpecifier), (node.propertyName ?? node.name)?.getText() ?? '');
      }
  };
  const visitNames = (/** @type {string} */ path, /** @type {ts.Node & { name?: ts.Node }} */ node) => {
    if (ts.isIdentifier(node)) visit(path, node.text);
    if (ts.isImportTypeNode(node)) visit(fileOf(path, node.argument), node.qualifier?.getText() ?? '');
    ts.forEachChild(node, (child) => (child === node.name ? undefined : visitNames(path, child)));
  };
  for (const path of entryPoints)
    for (const node of files.get(path)?.statements.flatMap(namedIn) ?? [])
      if (!ts.isImportSpecifier(node)) visit(path, node.name?.getText() ?? '');
  const textOf = (/** @type {ts.Statement} */ statement) => {
    if (!isLink(statement)) return statement.getFullText().trim();
    const names = namedIn(statement).filter((node) => kept.has(node));
    return statement.getText().replace(/\{[^}]*\}/, `{ ${names.map((node) => node.getText()).join(', ')} }`);
  };
  return new Map(
    [...files].flatMap(([path, { statements }]) => {
      const reached = statements.filter((statement) => kept.has(statement));
      return reached.length === 0 ? [] : [[path, `${reached.map(textOf).join('\n')}\nexport {};\n`]];
    }),
  );
};

/** What a statement defines. @param {ts.Statement} statement @returns {readonly (ts.Node & { name?: ts.Node, propertyName?: ts.Node })[]} */
const namedIn = (statement) => {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations;
  if (!isLink(statement)) return [statement];
  const names = ts.isImportDeclaration(statement)
    ? statement.importClause?.namedBindings
    : statement.exportClause;
  return names && 'elements' in names ? names.elements : [];
};

/** @param {ts.Statement} statement @returns {statement is ts.ImportDeclaration | ts.ExportDeclaration} */
const isLink = (statement) => ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement);

/** @param {string} path @param {ts.Node | undefined} specifier */
const fileOf = (path, specifier) =>
  resolve(dirname(path), specifier?.getText().slice(1, -1).replace(/\.ts$/, '.d.ts') ?? '');

// The type declarations of the package: those that its entry points reach. What zod and our own helpers compute is printed
// field by field, so that a user needs no further package, and sees what a type holds.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import ts from 'typescript';
import { createPrinter } from './print-type.js';

/** @typedef {ts.TypeAliasDeclaration | ts.InterfaceDeclaration} TypeDeclaration */

const [sources, folder] = [resolve('src'), resolve('dist')];

/**
 * Writes the declarations of the entry points, which are files of `src`, into `dist`.
 *
 * @param {readonly string[]} entryPoints
 * @param {readonly string[]} commonJs those of them that are CommonJS, too
 */
export const writeDeclarations = (entryPoints, commonJs) => {
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const { options: given } = ts.convertCompilerOptionsFromJson(config.compilerOptions, '.');
  const emit = { noEmit: false, declaration: true, emitDeclarationOnly: true };
  const options = { ...given, ...emit, rootDir: sources, outDir: folder };
  const ambient = ['virtual-shipped', 'virtual-inspector', 'jest-globals'].map((name) => `src/${name}.d.ts`);
  const program = ts.createProgram(
    [...entryPoints, ...ambient].map((file) => resolve(file)),
    options,
  );
  /** @type {Map<string, string>} */
  const texts = new Map();
  const { diagnostics } = program.emit(undefined, (file, text) => texts.set(file, text), undefined, true);
  stopAt([...ts.getPreEmitDiagnostics(program), ...diagnostics]);
  for (const [declaration, text] of printComputed(program, entryPoints)) {
    const file = toOutput(declaration.getSourceFile().fileName);
    texts.set(file, replaceDeclaration(texts.get(file) ?? '', declaration.name.text, text));
  }

  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (/\.d\.c?ts$/.test(file)) rmSync(join(folder, file)); // of builds before
  for (const [file, text] of keepReached(texts, entryPoints, options)) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  for (const file of commonJs)
    writeFileSync(toOutput(resolve(file)).replace(/\.d\.ts$/, '.d.cts'), printCommonJs(program, file));
};

/**
 * The same names as those of an ES module, for CommonJS.
 *
 * @param {ts.Program} program
 * @param {string} entryPoint
 */
const printCommonJs = (program, entryPoint) => {
  const checker = program.getTypeChecker();
  const module = `import('./${basename(entryPoint, '.ts')}.js', { with: { 'resolution-mode': 'import' } })`;
  const lines = exportsOf(checker, program.getSourceFile(resolve(entryPoint))).map(({ name, flags }) =>
    flags & ts.SymbolFlags.Value
      ? `export declare const ${name}: typeof ${module}.${name};`
      : `export type ${name} = ${module}.${name};`,
  );
  return `${lines.join('\n')}\n`;
};

/** @param {string} file */
const toOutput = (file) => resolve(file).replace(sources, folder).replace(/\.ts$/, '.d.ts');

/** @param {readonly ts.Diagnostic[]} mistakes */
const stopAt = (mistakes) => {
  if (mistakes.length === 0) return;
  const host = { getCanonicalFileName: String, getCurrentDirectory: () => '.', getNewLine: () => '\n' };
  console.error(ts.formatDiagnostics(mistakes, host));
  process.exit(1);
};

/**
 * The types of our own that are computed and that the entry points reach, in plain TypeScript.
 *
 * @param {ts.Program} program
 * @param {readonly string[]} entryPoints
 * @returns {Map<TypeDeclaration, string>}
 */
const printComputed = (program, entryPoints) => {
  const checker = program.getTypeChecker();
  const exported = entryPoints.flatMap((file) => exportsOf(checker, program.getSourceFile(resolve(file))));
  /** Types without parameters, by which name users have them. @type {Map<ts.Type, ts.Symbol>} */
  const names = new Map();
  for (const symbol of exported) {
    const declaration = symbol.declarations?.find(isTypeDeclaration);
    if (declaration && !declaration.typeParameters)
      names.set(checker.getDeclaredTypeOfSymbol(symbol), symbol);
  }
  /** @type {Map<TypeDeclaration, string>} */
  const printed = new Map();
  const reached = new Set(exported);
  const print = createPrinter(checker, (type) => {
    const symbol =
      names.get(type) ??
      type.aliasSymbol ??
      (type.isClassOrInterface() || isInstance(type) ? type.symbol : undefined);
    const [declaration] = symbol?.declarations ?? [];
    if (symbol === undefined || declaration === undefined) return undefined;
    const isOwn = isOurs(declaration);
    if (!isOwn) return isFrom('zod', declaration) ? undefined : symbol;
    if (!isExported(declaration)) return undefined;
    if (!names.has(type) && isComputed(checker, declaration)) return undefined;
    reached.add(symbol);
    return symbol;
  });
  for (const symbol of reached)
    for (const declaration of symbol.declarations ?? []) {
      if (!isOurs(declaration)) continue;
      if (isTypeDeclaration(declaration) && isComputed(checker, declaration)) {
        const parameters = declaration.typeParameters?.map((one) => one.getText()).join(', ');
        const head = `${declaration.name.text}${parameters ? `<${parameters}>` : ''}`;
        const type = checker.getDeclaredTypeOfSymbol(symbol);
        const text = print(type, declaration.getSourceFile().fileName, { isWhole: true });
        printed.set(
          declaration,
          ts.isInterfaceDeclaration(declaration) ? `interface ${head} ${text}` : `type ${head} = ${text};`,
        );
      } else for (const [, found] of symbolsIn(checker, declaration, ts.isTypeNode)) reached.add(found);
    }
  return printed;
};

/** @param {ts.Type} type whether it is an interface or a class with arguments */
const isInstance = (type) =>
  Boolean(type.symbol?.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class)) && !type.isIntersection();

/** @param {ts.Node} node @returns {node is TypeDeclaration} */
const isTypeDeclaration = (node) => ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node);

/** @param {ts.Declaration} declaration */
const isOurs = (declaration) =>
  [sources, folder].some((root) => declaration.getSourceFile().fileName.startsWith(`${root}/`));

/** @param {string} name @param {ts.Declaration} declaration */
const isFrom = (name, declaration) => declaration.getSourceFile().fileName.includes(`/node_modules/${name}/`);

/** @param {ts.Declaration} declaration */
const isExported = (declaration) =>
  Boolean(ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Export);

/** @param {ts.TypeChecker} checker @param {ts.SourceFile | undefined} file */
const exportsOf = (checker, file) => {
  const module = file && checker.getSymbolAtLocation(file);
  return module ? checker.getExportsOfModule(module).map((symbol) => skipAlias(checker, symbol)) : [];
};

/** @param {ts.TypeChecker} checker @param {ts.Symbol} symbol */
const skipAlias = (checker, symbol) =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

/**
 * Whether a type is made of zod's types or of a value: by itself, or by a helper that has parameters or is not exported.
 *
 * @param {ts.TypeChecker} checker
 * @param {ts.Declaration} declaration
 * @returns {boolean}
 */
const isComputed = (checker, declaration) =>
  isTypeDeclaration(declaration) &&
  symbolsIn(checker, declaration).some(([node, symbol]) => {
    const [found] = symbol.declarations ?? [];
    if (found === undefined || found === declaration) return false;
    if (isFrom('zod', found) || ts.isTypeQueryNode(node.parent)) return true;
    if (!isOurs(found) || !isTypeDeclaration(found)) return false;
    return (found.typeParameters !== undefined || !isExported(found)) && isComputed(checker, found);
  });

/**
 * The names in a declaration, with what they mean. `within` leaves out what is outside such nodes.
 *
 * @param {ts.TypeChecker} checker
 * @param {ts.Node} declaration
 * @param {(node: ts.Node) => boolean} [within]
 */
const symbolsIn = (checker, declaration, within) => {
  /** @type {[ts.Identifier, ts.Symbol, ts.Symbol][]} */
  const found = [];
  const visit = (/** @type {ts.Node} */ node, /** @type {boolean} */ isIn) => {
    const counts = isIn || within === undefined || within(node);
    const symbol = counts && ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined;
    if (symbol) found.push([/** @type {ts.Identifier} */ (node), skipAlias(checker, symbol), symbol]);
    ts.forEachChild(node, (child) => visit(child, counts));
  };
  visit(declaration, false);
  return found;
};

/** @param {string} text of a file @param {string} name @param {string} declaration in place of that one */
const replaceDeclaration = (text, name, declaration) => {
  const file = ts.createSourceFile('one.d.ts', text, ts.ScriptTarget.Latest, true);
  const found = file.statements.find((one) => isTypeDeclaration(one) && one.name.text === name);
  if (found === undefined) throw new Error(`Failed to find the declaration of ${name}.`);
  return `${text.slice(0, found.getStart())}export ${declaration}${text.slice(found.end)}`;
};

/**
 * Of each file, the declarations that the entry points reach, and what those import.
 *
 * @param {ReadonlyMap<string, string>} texts
 * @param {readonly string[]} entryPoints
 * @param {ts.CompilerOptions} options
 * @returns {Map<string, string>}
 */
const keepReached = (texts, entryPoints, options) => {
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile, directoryExists } = host;
  host.fileExists = (file) => texts.has(file) || (!file.startsWith(folder) && fileExists(file));
  host.readFile = (file) => texts.get(file) ?? readFile(file);
  host.directoryExists = (path) => path.startsWith(folder) || Boolean(directoryExists?.(path));
  host.getSourceFile = (file, ...rest) => {
    const text = texts.get(file);
    return text === undefined
      ? getSourceFile(file, ...rest)
      : ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  };
  const program = ts.createProgram(entryPoints.map(toOutput), { ...options, noEmit: true }, host);
  const checker = program.getTypeChecker();
  const entries = entryPoints.flatMap((file) => program.getSourceFile(toOutput(file)) ?? []);
  const reached = new Set(entries.flatMap((file) => exportsOf(checker, file)));
  /** @type {Map<ts.SourceFile, Set<ts.Node>>} */
  const kept = new Map(entries.map((file) => [file, new Set()]));
  for (const symbol of reached)
    for (const declaration of symbol.declarations ?? []) {
      const statement = ts.findAncestor(declaration, (node) => ts.isSourceFile(node.parent ?? node));
      if (!isOurs(declaration) || statement === undefined || ts.isSourceFile(statement)) continue;
      const file = declaration.getSourceFile();
      const nodes = kept.get(file) ?? new Set();
      kept.set(file, nodes.add(statement));
      for (const [, found, local] of symbolsIn(checker, statement)) {
        reached.add(found);
        for (const one of local.declarations ?? []) nodes.add(one); // an import
      }
    }
  for (const [file, nodes] of kept)
    for (const statement of file.statements) {
      if (!ts.isExportDeclaration(statement)) continue;
      const clause = statement.exportClause;
      for (const one of clause && ts.isNamedExports(clause) ? clause.elements : []) {
        const symbol = checker.getSymbolAtLocation(one.name);
        if (symbol && reached.has(skipAlias(checker, symbol))) nodes.add(one);
      }
    }
  return new Map([...kept].map(([file, nodes]) => [file.fileName, textOf(file, nodes)]));
};

/** @param {ts.SourceFile} file @param {ReadonlySet<ts.Node>} kept */
const textOf = (file, kept) => {
  const texts = file.statements.flatMap((statement) => {
    const isImport = ts.isImportDeclaration(statement);
    if (!isImport && !ts.isExportDeclaration(statement))
      return kept.has(statement) ? [statement.getFullText()] : [];
    const from = statement.moduleSpecifier && ` from ${statement.moduleSpecifier.getText()};`;
    if (from === undefined) return [statement.getFullText()]; // export {};
    const names = isImport ? statement.importClause?.namedBindings : statement.exportClause;
    if (names === undefined) return [];
    if (ts.isNamespaceImport(names) || ts.isNamespaceExport(names))
      return kept.has(names) ? [`import type * as ${names.name.text}${from}`] : [];
    const list = [...names.elements].filter((one) => kept.has(one)).map((one) => one.getText());
    const isType = isImport ? statement.importClause?.isTypeOnly : statement.isTypeOnly;
    const head = `${isImport ? 'import' : 'export'}${isType ? ' type' : ''}`;
    return list.length === 0 ? [] : [`${head} { ${list.join(', ')} }${from}`];
  });
  return `${texts.map((text) => text.trim()).join('\n')}\n`;
};

// Prints types as plain interfaces: what zod and our own helpers compute, a user shall read.
import { dirname, relative } from 'node:path';
import ts from 'typescript';

/** Types without parts. */
const simple =
  ts.TypeFlags.Any |
  ts.TypeFlags.Unknown |
  ts.TypeFlags.Never |
  ts.TypeFlags.VoidLike |
  ts.TypeFlags.Null |
  ts.TypeFlags.StringLike |
  ts.TypeFlags.NumberLike |
  ts.TypeFlags.BooleanLike |
  ts.TypeFlags.BigIntLike |
  ts.TypeFlags.NonPrimitive |
  ts.TypeFlags.TypeParameter;

/**
 * @param {ts.TypeChecker} checker
 * @param {(type: ts.Type) => ts.Symbol | undefined} findName the name by which a type shall be referred to; if undefined, its parts are printed
 */
export const createPrinter = (checker, findName) => {
  /**
   * @param {ts.Type} type
   * @param {string} file where the text will stand
   * @param {{ readonly isWhole?: boolean }} [options] `isWhole`: not by its own name
   * @returns {string}
   */
  const print = (type, file, { isWhole = false } = {}) => {
    /** @param {ts.Type} part */
    const sub = (part) => print(part, file);
    const byName = isWhole ? undefined : printName(type, file, sub);
    if (byName !== undefined) return byName;
    if (type.isUnion()) return printUnion(type, sub);
    if (type.flags & simple) return checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation);
    if (type.isIntersection() && type.types.some(({ flags }) => flags & simple))
      return type.types.map(sub).join(' & ');
    if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)))
      throw new Error(`Failed to print the type ${checker.typeToString(type)}`);
    if (checker.isTupleType(type))
      return `${isReadonlyTuple(type) ? 'readonly ' : ''}[${printElements(type, sub).join(', ')}]`;
    return printObject(type, sub);
  };

  /** @param {ts.Type} type @param {string} file @param {(part: ts.Type) => string} sub */
  const printName = (type, file, sub) => {
    if (checker.isArrayType(type)) {
      const [element] = checker.getTypeArguments(/** @type {ts.TypeReference} */ (type));
      const text = element ? sub(element) : 'unknown';
      const prefix = type.symbol.name === 'ReadonlyArray' ? 'readonly ' : '';
      return `${prefix}${/^[\w.]+$|^import\([^)]*\)\.\w+$/.test(text) ? text : `(${text})`}[]`;
    }
    const symbol = findName(type);
    const declaration = symbol?.declarations?.[0];
    if (symbol === undefined || declaration === undefined) return undefined;
    const args = symbol === type.aliasSymbol ? (type.aliasTypeArguments ?? []) : argumentsOf(type);
    const source = declaration.getSourceFile().fileName;
    const isGlobal = source.includes('/node_modules/');
    const path = isGlobal || source === file ? '' : `import("${pathFrom(file, source)}").`;
    return `${path}${symbol.name}${args.length === 0 ? '' : `<${args.map(sub).join(', ')}>`}`;
  };

  /** @param {ts.Type} type */
  const argumentsOf = (type) =>
    /** @type {ts.ObjectType} */ (type).objectFlags & ts.ObjectFlags.Reference
      ? checker.getTypeArguments(/** @type {ts.TypeReference} */ (type))
      : [];

  /** @param {ts.UnionType & { readonly origin?: ts.Type }} union @param {(part: ts.Type) => string} sub */
  const printUnion = ({ types: all, origin }, sub) => {
    const types = origin?.isUnion() ? origin.types : all; // with the names of unions in it, as `typeToString` has them
    const isMissing = (/** @type {ts.Type} */ one) =>
      one.flags & ts.TypeFlags.Undefined && one !== checker.getUndefinedType(); // of `a?: b` itself
    const texts = types
      .filter((one) => !isMissing(one))
      .map((one) => {
        const text = one.flags & ts.TypeFlags.BooleanLiteral ? 'boolean' : sub(one);
        return text.includes('=>') && !text.startsWith('{') ? `(${text})` : text;
      });
    const nothing = ['null', 'undefined']; // come last, as one writes them
    return [...new Set(texts)].sort((a, b) => nothing.indexOf(a) - nothing.indexOf(b)).join(' | ');
  };

  /** @param {ts.Type} type @param {(part: ts.Type) => string} sub */
  const printObject = (type, sub) => {
    const [signature] = type.getCallSignatures();
    const members = [
      ...checker
        .getIndexInfosOfType(type)
        .map(
          (info) => `${info.isReadonly ? 'readonly ' : ''}[key: ${sub(info.keyType)}]: ${sub(info.type)};`,
        ),
      ...checker.getPropertiesOfType(type).map((property) => printProperty(property, sub)),
    ];
    if (signature && members.length === 0) return printSignature(signature, sub);
    return members.length === 0 ? '{}' : `{\n${members.join('\n').replace(/^/gm, '  ')}\n}`;
  };

  /** @param {ts.Symbol} property @param {(part: ts.Type) => string} sub */
  const printProperty = (property, sub) => {
    const written = property.valueDeclaration;
    const isReadonly =
      checkFlagsOf(property) & 8 || (written && modifiersOf(written) & ts.ModifierFlags.Readonly);
    const name = /^[\w$]+$/.test(property.name) ? property.name : JSON.stringify(property.name);
    const isOptional = property.flags & ts.SymbolFlags.Optional;
    const type = sub(checker.getTypeOfSymbol(property));
    return `${docsOf(property)}${isReadonly ? 'readonly ' : ''}${name}${isOptional ? '?' : ''}: ${type};`;
  };

  /** @param {ts.Signature} signature @param {(part: ts.Type) => string} sub */
  const printSignature = (signature, sub) => {
    const parameters = signature.parameters.flatMap((parameter) => {
      const type = checker.getTypeOfSymbol(parameter);
      const declaration = parameter.valueDeclaration;
      const isRest = declaration && ts.isParameter(declaration) && declaration.dotDotDotToken;
      if (isRest && checker.isTupleType(type)) return printElements(type, sub, true);
      const isOptional =
        declaration && ts.isParameter(declaration) && checker.isOptionalParameter(declaration);
      return [`${isRest ? '...' : ''}${parameter.name}${isOptional ? '?' : ''}: ${sub(type)}`];
    });
    return `(${parameters.join(', ')}) => ${sub(signature.getReturnType())}`;
  };

  /** @param {ts.Type} type @param {(part: ts.Type) => string} sub */
  const printElements = (type, sub, isCall = false) => {
    const { target } = /** @type {ts.TupleTypeReference} */ (type);
    return checker.getTypeArguments(/** @type {ts.TupleTypeReference} */ (type)).map((element, at) => {
      const flags = target.elementFlags[at] ?? 0;
      const label = target.labeledElementDeclarations?.[at]?.name;
      // A parameter that is taken apart at once has no name of its own.
      const name = label && ts.isIdentifier(label) ? label.text : isCall || label ? 'options' : '';
      const [rest, optional] = [flags & ts.ElementFlags.Rest, flags & ts.ElementFlags.Optional];
      const text = rest ? `(${sub(element)})[]` : sub(element);
      return name === ''
        ? `${rest ? '...' : ''}${text}${optional ? '?' : ''}`
        : `${rest ? '...' : ''}${name}${optional ? '?' : ''}: ${text}`;
    });
  };

  return print;
};

/** @param {ts.Type} type */
const isReadonlyTuple = (type) => /** @type {ts.TupleTypeReference} */ (type).target.readonly;

const { getCombinedModifierFlags: modifiersOf } = ts;
// Whether a computed property is read-only, TypeScript says nowhere else.
const { getCheckFlags: checkFlagsOf } = /** @type {{ getCheckFlags: (symbol: ts.Symbol) => number }} */ (
  /** @type {unknown} */ (ts)
);

/** @param {string} file @param {string} source */
const pathFrom = (file, source) => {
  const path = relative(dirname(file), source);
  return path.startsWith('.') ? path : `./${path}`;
};

/** The docstring of a property, as it is written. @param {ts.Symbol} property */
const docsOf = (property) => {
  for (const declaration of property.declarations ?? []) {
    const [docs] = ts.getJSDocCommentsAndTags(declaration);
    if (docs) return `${docs.getText().replace(/\n\s*\*/g, '\n *')}\n`;
  }
  return '';
};

// Manifests against the types of their kinds, which are made from Kubernetes' own API: TypeScript refuses unknown fields, too.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import type { Rendered } from './render-manifests.ts';
import { makeBuiltFolder } from './write-built.ts';

/** What is wrong with them. */
export const checkManifests = (rendered: Rendered): string[] => {
  const file = join(makeBuiltFolder('gateway-mock-manifests'), 'manifests.ts');
  const lines = rendered.map((object, at) => {
    const type = `import('kubernetes-models/${object.apiVersion}').I${object.kind}`;
    return `export const object${at}: ${type} = ${JSON.stringify(object)};`;
  });
  writeFileSync(file, lines.join('\n'));
  const program = ts.createProgram([file], {
    module: ts.ModuleKind.NodeNext,
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
};

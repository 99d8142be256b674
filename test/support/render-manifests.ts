// docs/kubernetes as `kubectl kustomize` renders it.
import { execFileSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { makeFolder } from './make-folder.ts';
import { hasCommand } from './missing-tool.ts';
import { root } from './write-built.ts';

/** An object of Kubernetes, before anybody has looked at it. */
interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

export type Rendered = readonly Manifest[];

/** Whether manifests can be rendered here. Where they cannot, that is reported. */
export const hasKubectl = (leftOut: string): boolean =>
  hasCommand('kubectl', leftOut, 'Install it (.ci/install does so by npm).');

/** The admin token of all tests. */
export const adminToken = 'token-of-the-tests';

/** Renders the base or an overlay, of a copy with an admin token. */
export const renderManifests = (part: 'base' | 'overlays/development'): Rendered => {
  const folder = makeFolder();
  cpSync(join(root, 'docs/kubernetes'), folder, { recursive: true });
  writeFileSync(join(folder, 'base/admin-token'), adminToken);
  return parseManifests(execFileSync('kubectl', ['kustomize', join(folder, part)], { encoding: 'utf8' }));
};

export const parseManifests = (text: string): Rendered =>
  parseAllDocuments(text).map((document) => document.toJS());

/** The object of this kind whose name is this one, or this one and a hash. */
export const find = <Kind>(rendered: Rendered, kind: string, name: string): Kind => {
  const found = rendered.find(
    (one) =>
      one.kind === kind &&
      (one.metadata.name === name || one.metadata.name.replace(/-[a-z0-9]{10}$/, '') === name),
  );
  if (found === undefined) throw new Error(`There is no ${kind} with the name ${name}.`);
  return found as Kind; // a test holds each object to the type of its kind
};

// Which MSW the tests run with: that of the project, or of another one (`GATEWAY_MOCK_MSW=/path/of/project`).
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import { root } from './write-built.ts';

const project = process.env.GATEWAY_MOCK_MSW ?? root;

const { version } = JSON.parse(readFileSync(join(project, 'node_modules/msw/package.json'), 'utf8'));

/** Whether it is MSW 2: the transport `msw` works with no other. */
export const isMsw2 = String(version).startsWith('2.');

/** The file of MSW's worker that a page needs. */
export const workerFile = createRequire(join(project, 'package.json')).resolve('msw/mockServiceWorker.js');

/** Bundles that MSW into a page. */
export const withInstalledMsw: Plugin = {
  name: 'installed-msw',
  setup: ({ onResolve, resolve }) => {
    onResolve({ filter: /^msw(\/|$)/ }, ({ path, kind, pluginData }) =>
      pluginData === project ? undefined : resolve(path, { kind, resolveDir: project, pluginData: project }),
    );
  },
};

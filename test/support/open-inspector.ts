// The page at `/__admin/` in a real browser, as a person has it before them.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { type GatewayServer, type ServerOptions, startServer } from '../../src/server.ts';
import { connectToChromium } from './chromium.ts';
import { isFull } from './settings.ts';

/** What the page is opened with: a server of its own, unless one is given. */
export interface InspectorOptions extends ServerOptions {
  /** A server that runs already; whoever started it closes it. */
  readonly server?: GatewayServer;
  /** Default: the default session. */
  readonly session?: string;
  /** The view, such as `#/faults`. */
  readonly hash?: string;
  /** Default: 1280. */
  readonly width?: number;
}

export interface Inspector {
  readonly server: GatewayServer;
  readonly page: Page;
}

/**
 * Starts a server and opens its page; both are closed when the test ends. The test fails where the page threw, ran
 * what somebody planted in it, or wanted what its Content-Security-Policy forbids.
 */
export const openInspector = async ({
  server: given,
  session,
  hash = '',
  width = 1280,
  ...options
}: InspectorOptions = {}): Promise<Inspector> => {
  const server = given ?? (await startServer(options));
  if (given === undefined) onTestFinished(() => server.close());
  const context = await (await connectToChromium()).newContext({
    viewport: { width, height: 900 },
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  const mistakes: string[] = [];
  page.on('pageerror', (error) => mistakes.push(error.stack ?? error.message));
  page.on('dialog', (dialog) => {
    mistakes.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) mistakes.push(message.text());
  });
  onTestFinished(async () => {
    await context.close();
    expect(mistakes, 'what went wrong in the page').toEqual([]);
  });
  const prefix = session === undefined ? '' : `/sessions/${session}`;
  await page.goto(`${server.url}${prefix}/__admin/${hash}`);
  await page.getByRole('status').getByText('Connected').waitFor();
  return { server, page };
};

/** The headers of a client that is let in. */
export const clientHeaders = {
  'x-gateway-api-key': 'key-of-a-test-1234',
  'x-gateway-virtual-key': 'virtual',
};

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const sights = {
  'narrow light': { width: 375, colorScheme: 'light' },
  'narrow dark': { width: 375, colorScheme: 'dark' },
  'wide light': { width: 1920, colorScheme: 'light' },
  'wide dark': { width: 1920, colorScheme: 'dark' },
} as const;

/** How a view is looked at. */
export type Sight = keyof typeof sights;

/**
 * Holds the view that is open now against what everybody needs: axe finds nothing, and the page does not scroll sideways.
 *
 * @param sight what axe looks at in `npm test`, since it takes its time; in full it looks at all
 */
export const expectFitForAll = async (page: Page, sight: Sight): Promise<void> => {
  const before = page.viewportSize() ?? { width: 1280, height: 900 };
  await page.evaluate(axeSource);
  const found: string[] = [];
  for (const [name, { width, colorScheme }] of Object.entries(sights)) {
    const excess = await excessAt(page, width);
    if (excess > 0) found.push(`${name}: the page is ${excess} px too wide`);
    if (name !== sight && !isFull) continue;
    await page.emulateMedia({ colorScheme });
    const violations = await page.evaluate(readViolations);
    found.push(...violations.map((violation) => `${name}: ${violation}`));
  }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(before);
  expect(found).toEqual([]);
};

/** Makes the window so wide, and tells by how many pixels the page is wider, once plots and lists have followed. */
export const excessAt = async (page: Page, width: number): Promise<number> => {
  await page.setViewportSize({ width, height: 900 });
  await page.waitForFunction((wanted) => innerWidth === wanted, width);
  return await page.evaluate(async () => {
    // Sizes are observed once in each frame, and what is drawn by them is there before the next.
    for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    return document.documentElement.scrollWidth - innerWidth;
  });
};

/** Runs in the page. */
const readViolations = async (): Promise<string[]> => {
  const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }; // the source above defines it
  const { violations } = await axe.run(document, { resultTypes: ['violations'] });
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html} ${failureSummary ?? ''}`),
  );
};

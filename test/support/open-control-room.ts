// The page at `/__admin/` in a real browser, as a person has it before them.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Locator, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import type { GatewayServer, ServerOptions } from '../../src/server.ts';
import { connectToChromium } from './chromium.ts';
import { openServer } from './open-gateway.ts';
import { quickenWaits } from './quick-waits.ts';
import { isFull } from './settings.ts';

/** What the page is opened with: a server of its own, unless one is given. */
interface ControlRoomOptions extends ServerOptions {
  /** A server that runs already; whoever started it closes it. */
  readonly server?: GatewayServer;
  /** Default: the default session. */
  readonly session?: string;
  /** The view, such as `#/faults`. Default: the requests. */
  readonly hash?: string;
  /** Default: 1280. */
  readonly width?: number;
  /** Whether nobody has the page before or after: for what is not undone by leaving a page. */
  readonly isOwnPage?: boolean;
  /** Comes before the page is opened, and so before anything is asked for. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  /** What its status line says once it is open. */
  readonly says?: string;
}

interface ControlRoom {
  readonly server: GatewayServer;
  readonly page: Page;
}

/** Left by a test for the next one: to make a page takes longer than most tests. */
let spare: Page | undefined;

const viewportOf = (width: number) => ({ width, height: 900 });

/** A clipboard of the page's own: all tests that run at the same time share the browser's. */
const ownClipboard = (): void => {
  let copied = '';
  const writeText = async (text: string): Promise<void> => {
    copied = text;
  };
  const value = { writeText, readText: async () => copied };
  Object.defineProperty(navigator, 'clipboard', { value, configurable: true });
};

/** A page as nobody has used it, at no address. */
const takePage = async (isOwn: boolean): Promise<Page> => {
  if (spare !== undefined && !isOwn) {
    const page = spare;
    spare = undefined;
    return page;
  }
  const context = await (await connectToChromium()).newContext({
    viewport: viewportOf(1280),
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(100_000);
  await context.addInitScript(ownClipboard);
  const page = await context.newPage();
  quickenWaits(page);
  return page;
};

/** Undoes what a test did to its page: each server has an origin of its own, and with it all that the page keeps. */
const leavePage = async (page: Page): Promise<void> => {
  for (const other of page.context().pages()) if (other !== page) await other.close();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.evaluate(() => sessionStorage.clear()); // another server may get the port of this one
  await page.goto('about:blank');
  for (const event of ['pageerror', 'dialog', 'console', 'response'] as const) page.removeAllListeners(event);
};

/**
 * Starts a server and opens its page; both are left when the test ends. The test fails where the page threw, ran
 * what somebody planted in it, or wanted what its Content-Security-Policy forbids.
 */
export const openControlRoom = async ({
  server: given,
  session,
  hash = '#/requests',
  width = 1280,
  isOwnPage = false,
  prepare,
  says = 'Connected',
  ...options
}: ControlRoomOptions = {}): Promise<ControlRoom> => {
  const server = given ?? (await openServer(options));
  const page = await takePage(isOwnPage);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.stack ?? error.message));
  page.on('dialog', (dialog) => {
    errors.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) errors.push(message.text());
  });
  onTestFinished(async ({ task }) => {
    if (isOwnPage || spare !== undefined || task.result?.state === 'fail') await page.context().close();
    else {
      await leavePage(page);
      spare = page;
    }
    expect(errors, 'what went wrong in the page').toEqual([]);
  });
  if (page.viewportSize()?.width !== width) await page.setViewportSize(viewportOf(width));
  await prepare?.(page);
  const prefix = session === undefined ? '' : `/sessions/${session}`;
  await page.goto(`${server.url}${prefix}/__admin/${hash}`);
  await page.getByRole('status').getByText(says).waitFor();
  return { server, page };
};

/** The requests in the list. */
export const rowsOf = (page: Page) =>
  page.getByRole('grid').getByRole('row').and(page.locator('[aria-selected]'));

/** Waits until the list has these requests, each by its method and target. */
export const expectTargets = (page: Page, ...texts: string[]): Promise<void> =>
  expect.poll(() => rowsOf(page).locator('.request-target').allTextContents()).toEqual(texts);

/** The request that is open beside the list. */
export const details = (page: Page) => page.getByRole('region', { name: 'Request', exact: true });

/** The headers of a client that is let in. */
export const clientHeaders = {
  'x-gateway-api-key': 'key-of-a-test-1234',
  'x-gateway-virtual-key': 'virtual',
};

/** By mouse or by keys. */
type Way = 'mouse' | 'keys';

/** For `test.each`: in full, a task is done both by mouse and by keys, otherwise in the given way. */
export const ways = (usual: Way): readonly Way[] => (isFull ? ['mouse', 'keys'] : [usual]);

/** Presses a button, a link or a switch. */
export const press = (by: Way, target: Locator, key = 'Enter'): Promise<void> =>
  by === 'mouse' ? target.click() : target.press(key);

/** Finds a command with the palette, and runs it. */
export const runCommand = async (page: Page, text: string, option: string | RegExp = text): Promise<void> => {
  await page.keyboard.press('Control+k');
  await page.keyboard.type(text); // what is typed right after Ctrl+K is not lost
  await page.getByRole('option', { name: option }).first().click();
};

/** Hides or shows a tab, for the page. */
export const setVisible = (page: Page, state: 'hidden' | 'visible'): Promise<void> =>
  page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);

export const focused = (page: Page, read: 'ariaLabel' | 'id' | 'tagName' | 'textContent') =>
  page.evaluate((name) => document.activeElement?.[name], read);

const axeSource = () => readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** In full: the open view does not scroll sideways in any window, and axe finds nothing, in light and dark. */
export const expectFitForAll = async (page: Page): Promise<void> => {
  if (!isFull) return;
  const before = page.viewportSize() ?? viewportOf(1280);
  await page.mouse.move(0, 0); // axe finds that the library's tooltips are outside of all landmarks
  const found: string[] = [];
  for (const width of [375, 1920]) {
    const excess = await excessAt(page, width);
    if (excess > 0) found.push(`at ${width} px, the page is ${excess} px too wide`);
    for (const colorScheme of ['light', 'dark'] as const) {
      if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource());
      await page.emulateMedia({ colorScheme });
      if (!(await page.evaluate(() => /light|dark/.test(localStorage.getItem('gateway-mock-theme') ?? ''))))
        await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor(); // it follows a little later
      const violations = await page.evaluate(readViolations);
      found.push(...violations.map((violation) => `${width} px, ${colorScheme}: ${violation}`));
    }
  }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(before);
  expect(found).toEqual([]);
};

/** Makes the window so wide, and returns by how many pixels the page is wider, once plots and lists have followed. */
const excessAt = async (page: Page, width: number): Promise<number> => {
  await page.setViewportSize(viewportOf(width));
  return await page.evaluate(async (wanted) => {
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    while (innerWidth !== wanted) await nextFrame();
    // Sizes are observed once in each frame, and what is drawn by them is there before the next.
    for (let frame = 0; frame < 2; frame += 1) await nextFrame();
    return document.documentElement.scrollWidth - innerWidth;
  }, width);
};

/** Runs in the page. */
const readViolations = async (): Promise<string[]> => {
  const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }; // the source above defines it
  const { violations } = await axe.run(document, { resultTypes: ['violations'], selectors: false });
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html} ${failureSummary ?? ''}`),
  );
};

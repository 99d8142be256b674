// Locators that notice sooner what they wait for.
import { errors, type Locator, type Page } from 'playwright-core';

/**
 * Playwright looks after 20, 70, 170 and 270 ms, and from then on but twice a second, so that a page that shows a change
 * after 300 ms is waited for 770. With a short timeout it looks more often: these go before the usual one.
 */
const shortTimeouts = [450, 2400];

let isDone = false;

/** From now on, of all pages. */
export const quickenWaits = (page: Page): void => {
  if (isDone) return;
  isDone = true;
  const prototype: Locator = Object.getPrototypeOf(page.locator('html'));
  const usual = prototype.waitFor;
  prototype.waitFor = async function (this: Locator, options = {}) {
    if (options.timeout !== undefined) return usual.call(this, options);
    for (const timeout of shortTimeouts) {
      try {
        return await usual.call(this, { ...options, timeout });
      } catch (error) {
        if (!(error instanceof errors.TimeoutError)) throw error;
      }
    }
    return usual.call(this, options);
  };
};

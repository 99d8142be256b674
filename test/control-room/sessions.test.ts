// The panel of the sessions, as a person uses it.
import { describe, expect, test } from 'vitest';
import { hasChromium } from '../support/chromium.ts';
import {
  clientHeaders,
  expectFitForAll,
  openControlRoom,
  press,
  ways,
} from '../support/open-control-room.ts';

describe.skipIf(!hasChromium)('the panel of sessions', () => {
  test.each(ways('keys'))(
    'creates one from the present state, goes there, comes back, and deletes it once that is confirmed, by %s',
    async (by) => {
      const { server, page } = await openControlRoom({ hash: '#/sessions' });
      await server.clock.advance('1h');
      const sessions = page.getByRole('list', { name: 'Sessions' });
      await page.getByRole('textbox', { name: 'Name' }).fill('checkout');
      await press(by, page.getByRole('button', { name: 'Create', exact: true }));
      await page.getByText('The session checkout was created.').waitFor();
      await expect.poll(() => sessions.getByRole('listitem').first().textContent()).toContain('default');
      expect(await server.session('checkout').clock.now()).toMatchObject({ now: '2026-01-15T13:00:00.000Z' });

      const one = sessions.getByRole('listitem').filter({ hasText: 'checkout' });
      const baseUrl = `${server.url}/sessions/checkout/v1`;
      await one.getByText(baseUrl, { exact: true }).waitFor();
      await press(by, one.getByRole('button', { name: 'Copy the base URL of checkout' }));
      await page.getByText('Copied').waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(baseUrl);
      await press(by, one.getByRole('link', { name: 'Go to the session checkout' }));
      await page.waitForURL(`${server.url}/sessions/checkout/__admin/#/sessions`);
      await one.getByText('open here').waitFor();
      expect(await page.title()).toBe('Sessions · checkout · gateway-mock');
      expect(await sessions.getByRole('button', { name: /^Delete/ }).count()).toBe(0); // the open one, and default
      await press(by, one.getByRole('button', { name: 'Copy the link to checkout' }));
      await expect
        .poll(() => page.evaluate(() => navigator.clipboard.readText()))
        .toBe(`${server.url}/sessions/checkout/__admin/`);
      await press(by, sessions.getByRole('link', { name: 'Go to the session default' }));
      await page.waitForURL(`${server.url}/__admin/#/sessions`);

      // Deletion cannot be undone: whoever presses the same key twice keeps the session.
      const remove = page.getByRole('button', { name: 'Delete checkout' });
      await press(by, remove);
      const question = page.getByRole('alertdialog').or(page.getByRole('dialog'));
      await question.getByText('Delete the session checkout?').waitFor();
      await expectFitForAll(page);
      await page.keyboard.press('Enter');
      await question.waitFor({ state: 'hidden' });
      expect(await server.sessions.list()).toContain('checkout');
      await press(by, remove);
      await press(by, question.getByRole('button', { name: 'Delete checkout' }));
      await page.getByText('The session checkout was deleted.').waitFor();
      await expect.poll(() => one.count()).toBe(0);
      expect(await server.sessions.list()).toEqual(['default']);
    },
  );

  test.each(ways('mouse'))(
    'creates from a scenario, again after asking, and explains names, by %s',
    async (by) => {
      const { server, page } = await openControlRoom({ hash: '#/sessions' });
      const name = page.getByRole('textbox', { name: 'Name' });
      const create = page.getByRole('button', { name: 'Create', exact: true });
      expect(await create.getAttribute('aria-disabled')).toBe('true');
      await name.fill('../etc');
      await name.press('Enter');
      await page.getByRole('alert').getByText('a name has 1 to 64 letters').waitFor();
      await name.fill('quiet');
      await page.getByLabel('From').selectOption('the scenario empty');
      await press(by, create);
      await page.getByText('The session quiet was created.').waitFor();
      const nameOfScenario = async () => (await server.session('quiet').scenario.current()).name;
      await name.fill('quiet');
      await page.getByLabel('From').selectOption('the scenario in-flight');
      await press(by, create);
      await page.getByText('Recreate the session quiet?').waitFor();
      expect(await nameOfScenario()).toBe('empty');
      await press(by, page.getByRole('button', { name: 'Recreate quiet' }));
      await expect.poll(nameOfScenario).toBe('in-flight');

      await fetch(`${server.url}/sessions/worker-9/v1/batches`, { headers: clientHeaders });
      await page.getByRole('link', { name: 'Go to the session worker-9' }).waitFor();
      await expectFitForAll(page);
    },
  );
});

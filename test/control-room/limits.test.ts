// The panel of limits, as a person uses it.
import { describe, expect, test } from 'vitest';
import { hasChromium } from '../support/chromium.ts';
import {
  clientHeaders,
  expectFitForAll,
  openControlRoom,
  press,
  ways,
} from '../support/open-control-room.ts';
import { policy, policyId, scenarioUnder } from '../support/quota-scenarios.ts';

const hostile = '<img src=x onerror=alert(1)>';

describe.skipIf(!hasChromium)('the panel of limits', () => {
  test.each(ways('mouse'))(
    'enforces limits, shows how much is used and until when, refills them, and shows that they are off, by %s',
    async (by) => {
      const conditions = [{ key: 'virtual_key', value: '*' }];
      const records = [policy(1, { name: hostile }), policy(2, { name: 'ten', value: 10, conditions })];
      const { server, page } = await openControlRoom({
        hash: '#/limits',
        scenario: { ...scenarioUnder(...records), quotas: false },
      });
      const call = async () => (await fetch(`${server.baseUrl}/batches`, { headers: clientHeaders })).status;
      const enforced = page.getByRole('switch', { name: 'Enforced' });
      const limit = (name: string) => page.getByRole('group', { name, exact: true });
      const off = page.getByText('Off: calls are neither counted nor refused.');
      await off.waitFor();
      await press(by, enforced, 'Space');
      await expect.poll(() => server.quotas.isEnforced()).toBe(true);
      await limit(hostile).getByText('0 of 3').waitFor();
      expect([await call(), await call(), await call(), await call()]).toEqual([200, 200, 200, 429]);
      await limit(hostile).getByText('3 of 3').waitFor();
      await limit(hostile).getByText('the next gets 429').waitFor();
      await limit('ten').getByText('7 requests left').waitFor();
      await limit('ten').getByText('30%').waitFor();
      await limit('ten').getByText('10 requests a minute for all together, where virtual_key is *').waitFor();
      await limit('ten').getByText('1 min', { exact: true }).waitFor();
      expect(await page.getByRole('link', { name: hostile }).getAttribute('href')).toContain(policyId(1));
      await expectFitForAll(page);

      await press(by, enforced, 'Space');
      await off.waitFor();
      expect(await call()).toBe(200);
      await page.locator('[data-undo]').waitFor();
      await enforced.press('Control+z'); // also from a field, unless it has text
      await off.waitFor({ state: 'detached' });
      await press(by, page.getByRole('button', { name: 'Refill all' }));
      await limit(hostile).getByText('0 of 3').waitFor();
      expect(await call()).toBe(200);
    },
  );

  test.each(ways('keys'))(
    'a new limit is one sentence that also enforces, in one undo; a limit that limits nothing says why, by %s',
    async (by) => {
      const idle = policy(1, { name: 'blue', conditions: [{ key: 'colour', value: 'blue' }] });
      const { server, page } = await openControlRoom({
        hash: '#/limits',
        scenario: { ...scenarioUnder(idle), quotas: false },
      });
      const call = async () => (await fetch(`${server.baseUrl}/batches`, { headers: clientHeaders })).status;
      const nothing = page.getByRole('region', { name: 'Active, but no call matches' });
      await nothing.getByText('No call has a value for the key "colour"').waitFor();
      const form = page.getByRole('form', { name: 'New limit' });
      const howMany = form.getByLabel('How many');
      await howMany.fill('2');
      await form.getByLabel('For whom').selectOption('each API key');
      await press(by, form.getByRole('button', { name: 'Add' }));
      await page.locator('[data-undo]').waitFor();
      await howMany.press('Control+z'); // a text has its own
      await expect.poll(() => howMany.inputValue()).toBe('10');
      await howMany.fill('2');
      await page.getByRole('button', { name: 'Undo' }).press('Control+z');
      await expect.poll(() => server.quotas.isEnforced()).toBe(false);
      expect(await server.records.policies.count()).toBe(1);
      await press(by, form.getByRole('button', { name: 'Add' }));
      await page.getByText('2 requests a minute for each api_key: added').waitFor();
      expect([await call(), await call(), await call()]).toEqual([200, 200, 429]);
      await page.getByText('api_key=***1234').waitFor();
      await press(by, nothing.getByRole('button', { name: 'Limit everyone instead' }));
      await page.getByText('blue: limits everyone').waitFor();
      await nothing.waitFor({ state: 'detached' });
      await page.keyboard.press('Control+z');
      await nothing.waitFor();
    },
  );
});

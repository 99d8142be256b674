import { describe, expect, test } from 'vitest';
import { hasChromium } from './chromium.ts';
import { expectFitForAll, openInspector } from './open-inspector.ts';

describe.skipIf(!hasChromium)('the panel of faults', () => {
  test('is fit for all', async () => {
    const { page } = await openInspector({ hash: '#/faults' });
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Faults');
    await expectFitForAll(page);
  });
});

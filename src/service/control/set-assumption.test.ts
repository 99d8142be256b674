import { expect, test } from 'vitest';
import { createGateway } from '../../index.ts';

test('refuses an unknown assumption and an unknown value', async () => {
  const gateway = createGateway();
  await expect(gateway.assumptions.set('unknown-cursr' as 'unknown-cursor', 'x')).rejects.toThrow(
    'Failed to set the assumption "unknown-cursr": no such assumption. Did you mean "unknown-cursor"?',
  );
  await expect(gateway.assumptions.set('unknown-cursor', 'x')).rejects.toThrow(
    'Failed to set the assumption "unknown-cursor" to "x": no such value. Use ',
  );
});

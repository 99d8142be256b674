import { expect, test, vi } from 'vitest';
import { replyToAdminError } from './admin-replies.ts';

test('a bug gets 500 and is reported, an error of our own gets 400', () => {
  const report = vi.spyOn(console, 'error').mockReturnValue();
  expect(replyToAdminError(new Error('Failed to add: no.')).status).toBe(400);
  expect(report).not.toHaveBeenCalled();
  const bug = new TypeError('x is not a function');
  const { status, body } = replyToAdminError(bug);
  expect([status, body]).toEqual([500, expect.stringContaining('Internal error of gateway-mock: x is not')]);
  expect(report).toHaveBeenCalledWith(expect.any(String), bug);
  report.mockRestore();
});

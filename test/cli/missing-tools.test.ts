// What the tests do without a tool that they need.
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { hasCommand, reportMissing } from '../support/missing-tool.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const report = (): void => reportMissing('Chromium', 'the tests in a real browser', 'Install it.');

describe('a missing tool', () => {
  test('fails the run where CI=true, and says what to do', () => {
    vi.stubEnv('CI', 'true');
    expect(report).toThrow(
      'There is no Chromium here, which the tests in a real browser need. Install it. With CI=true nothing is left out.',
    );
    expect(() => hasCommand('no-such-command-anywhere', 'its tests')).toThrow('apt-get install no-such');
  });

  test('is told with the tests that are left out where CI is not', () => {
    vi.stubEnv('CI', undefined);
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    onTestFinished(() => warn.mockRestore());
    report();
    expect(hasCommand('no-such-command-anywhere', 'its tests')).toBe(false);
    expect(warn.mock.calls).toEqual([
      [expect.stringMatching(/^Left out: the tests in a real browser\. There is no Chromium here/)],
      [expect.stringMatching(/^Left out: its tests\. There is no no-such-command-anywhere here/)],
    ]);
  });
});

test('a command that is there is no missing tool, whatever it says of its version', () => {
  vi.stubEnv('CI', 'true');
  expect(hasCommand(process.execPath, 'no tests')).toBe(true);
});

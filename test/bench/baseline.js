// Ratios beside those of a committed baseline: a machine may be slow, but what is slow beside what stays.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** @typedef {Readonly<Record<string, number>>} Ratios by what they tell */

const file = fileURLToPath(new URL('baseline.json', import.meta.url));

/** By how much a ratio may move before it is told. */
const tolerance = 0.1;

/**
 * What moved, in words.
 *
 * @param {Ratios} before
 * @param {Ratios} now
 * @returns {string[]}
 */
export const compareRatios = (before, now) => {
  const moved = Object.entries(now).flatMap(([what, ratio]) => {
    const old = before[what];
    if (old === undefined) return [`  new: ${what}: ${ratio.toFixed(3)}.`];
    const change = ratio / old - 1;
    if (Math.abs(change) <= tolerance) return [];
    const by = `${Math.round(Math.abs(change) * 100)} % ${change > 0 ? 'more' : 'less'}`;
    return [`  ${what}: ${ratio.toFixed(3)}, and ${old.toFixed(3)} in the baseline: ${by}.`];
  });
  const gone = Object.keys(before).filter((what) => !(what in now));
  return [...moved, ...gone.map((what) => `  no longer measured: ${what}.`)];
};

/**
 * Tells what moved by more than a tenth since the baseline was written.
 *
 * @param {Ratios} ratios
 * @param {boolean} isQuick whether they are of a quick run
 * @param {string} path for tests
 */
export const describeChanges = (ratios, isQuick, path = file) => {
  if (!existsSync(path)) return 'There is no baseline yet. Write it: npm run bench -- --update-baseline';
  /** @type {{ machine: string, quick: boolean, ratios: Ratios }} */
  const baseline = JSON.parse(readFileSync(path, 'utf8'));
  const lines = compareRatios(baseline.ratios, ratios);
  const of = `the baseline (${baseline.machine})`;
  const caution =
    baseline.quick === isQuick
      ? ''
      : ` One of the two runs was quick, so that they differ by more than the code.`;
  return lines.length === 0
    ? `No ratio is more than a tenth from ${of}.${caution}`
    : `More than a tenth from ${of}:${caution}\n${lines.join('\n')}`;
};

/**
 * @param {Ratios} ratios
 * @param {boolean} isQuick
 * @param {string} machine
 * @param {string} path for tests
 */
export const writeBaseline = (ratios, isQuick, machine, path = file) => {
  const rounded = Object.entries(ratios).map(([what, ratio]) => [what, Number(ratio.toFixed(3))]);
  const baseline = { machine, quick: isQuick, ratios: Object.fromEntries(rounded) };
  writeFileSync(path, `${JSON.stringify(baseline, null, 2)}\n`);
};

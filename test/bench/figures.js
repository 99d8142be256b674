/** @param {readonly number[]} values */
export const median = (values) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/**
 * @typedef {object} Figure what was measured, round by round
 * @property {string} name
 * @property {string} unit
 * @property {number[]} rounds
 * @property {number[]} [busy] the share of its core that the server had in each; under load, all of it
 */

/**
 * @typedef {object} Need one figure over another, and what is enough
 * @property {string} what
 * @property {string} of
 * @property {string} over
 * @property {number} [atLeast]
 * @property {number} [atMost]
 */

/** @param {number} value */
const show = (value) => (value >= 100 ? String(Math.round(value)) : value.toPrecision(3));

/** @param {readonly (readonly string[])[]} rows the first one is the head; all but the first column are set flush right */
export const printTable = (rows) => {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  for (const row of rows) {
    const cells = row.map((cell, at) =>
      at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
    );
    console.log(cells.join('  ').trimEnd());
  }
  console.log();
};

/**
 * One figure over another: the median of the ratios of each round. What slows the machine down for some seconds slows
 * both of a round, while the medians of each would come from different moments.
 *
 * @param {Figure} of
 * @param {Figure} over
 */
const ratioOf = (of, over) =>
  median(of.rounds.map((value, round) => value / (over.rounds[round] ?? Number.NaN)));

/**
 * @param {string} title
 * @param {readonly Figure[]} figures the first is what the others are compared with
 */
export const printFigures = (title, figures) => {
  const hasBusy = figures.some(({ busy }) => busy !== undefined);
  const [base] = figures;
  const rows = figures.map((figure) => [
    figure.name,
    ...[median(figure.rounds), Math.min(...figure.rounds), Math.max(...figure.rounds)].map(show),
    figure.unit,
    base === undefined ? '' : ratioOf(figure, base).toFixed(3),
    figure.busy === undefined ? '' : median(figure.busy).toFixed(2),
  ]);
  printTable([[title, 'median', 'min', 'max', 'unit', 'ratio', hasBusy ? 'busy' : ''], ...rows]);
};

/**
 * @param {readonly Figure[]} figures
 * @returns {(need: Need) => { what: string, ratio: number, need: string, verdict: 'pass' | 'short' | '' }}
 */
export const judgeBy = (figures) => (need) => {
  /** @param {string} name */
  const find = (name) => {
    const figure = figures.find((one) => one.name === name);
    if (figure === undefined) throw new Error(`Failed to judge "${need.what}": "${name}" was not measured.`);
    return figure;
  };
  const { what, atLeast, atMost } = need;
  const ratio = ratioOf(find(need.of), find(need.over));
  if (atLeast !== undefined)
    return { what, ratio, need: `at least ${atLeast}`, verdict: ratio >= atLeast ? 'pass' : 'short' };
  if (atMost !== undefined)
    return { what, ratio, need: `at most ${atMost}`, verdict: ratio <= atMost ? 'pass' : 'short' };
  return { what, ratio, need: '', verdict: '' };
};

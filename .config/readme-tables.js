// The tables of README.md that are made from the code: `npm run docs` writes them, test/readme.test.ts holds them.

/**
 * @typedef {import('../src/index.ts').Assumption} Assumption
 * @typedef {import('../src/index.ts').ScenarioInfo} ScenarioInfo
 */

/**
 * The README with its generated tables as they should be.
 *
 * @param {string} readme
 * @param {{ assumptions: Readonly<Record<string, Assumption>>, scenarios: readonly ScenarioInfo[] }} made
 * @returns {string}
 * @throws Error where a table has no place in it
 */
export const fillReadme = (readme, { assumptions, scenarios }) =>
  fill(fill(readme, 'scenarios', toScenarioTable(scenarios)), 'assumptions', toAssumptionTable(assumptions));

/**
 * @param {string} readme
 * @param {string} name
 * @param {string} table
 */
const fill = (readme, name, table) => {
  const place = new RegExp(`(<!-- ${name} -->\n).*?(<!-- /${name} -->)`, 's');
  if (!place.test(readme))
    throw new Error(
      `Failed to write a table: README.md has no place between <!-- ${name} --> and <!-- /${name} -->.`,
    );
  return readme.replace(place, (_, begin, end) => `${begin}\n${table}\n\n${end}`);
};

/** @param {readonly ScenarioInfo[]} scenarios */
const toScenarioTable = (scenarios) =>
  toTable([
    ['scenario', 'what it is for'],
    ...scenarios.map(({ name, description }) => [`\`${name}\``, escapeText(description)]),
  ]);

/** @param {Readonly<Record<string, Assumption>>} assumptions */
const toAssumptionTable = (assumptions) =>
  toTable([
    ['assumption', 'where the contract is silent', 'what it is about', 'values'],
    ...Object.entries(assumptions).map(([id, { silent, says, choices, standing }]) => [
      `\`${id}\`${standing ? '°' : ''}`,
      escapeText(silent),
      escapeText(says),
      choices.map(toValue).join('<br>'),
    ]),
  ]);

/**
 * @param {readonly [value: string, meaning: string]} choice
 * @param {number} index
 */
const toValue = ([value, meaning], index) => {
  const name = index === 0 ? `**${escapeText(value)}**` : escapeText(value);
  return value === meaning ? name : `${name}: ${escapeText(meaning)}`;
};

/** @param {readonly (readonly string[])[]} rows the first is the head */
const toTable = ([head = [], ...body]) =>
  [head, head.map(() => '---'), ...body].map((row) => `| ${row.join(' | ')} |`).join('\n');

/**
 * Whatever Markdown would take for more than text.
 *
 * @param {string} text
 */
const escapeText = (text) => text.replace(/[\\|*<`]/g, '\\$&');

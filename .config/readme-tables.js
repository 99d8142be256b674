// What of README.md and docs/ is made from the code: `npm run docs` writes it, test/cli/readme.test.ts holds it.

/**
 * @typedef {import('../src/index.ts').Assumption} Assumption
 * @typedef {import('../src/control/call-command.ts').ReadyCommand} ReadyCommand
 * @typedef {import('../src/protocol/define-operation.ts').OperationContract} Contract
 * @typedef {import('../src/index.ts').ScenarioInfo} ScenarioInfo
 */

/**
 * The README with its generated tables as they should be.
 *
 * @param {string} readme
 * @param {{
 *   assumptions: Readonly<Record<string, Assumption>>,
 *   scenarios: readonly ScenarioInfo[],
 *   contracts: readonly Contract[],
 * }} made
 * @returns {string}
 * @throws Error where a table has no place in it
 */
export const fillReadme = (readme, { assumptions, scenarios, contracts }) =>
  [
    ['operations', toOperationTable(contracts)],
    ['scenarios', toScenarioTable(scenarios)],
    ['assumptions', toAssumptionTable(assumptions)],
  ].reduce((text, [name = '', table = '']) => fill(text, name, table), readme);

/**
 * docs/control.md with the names of the operations, and the methods of the control, as they should be.
 *
 * @param {string} control
 * @param {readonly Contract[]} contracts
 * @param {readonly ReadyCommand[]} commands
 * @returns {string}
 */
export const fillControl = (control, contracts, commands) => {
  const ids = inOrder(contracts).map(({ id }) => `\`${id}\``);
  return fill(fill(control, 'operation-ids', ids.join(', ')), 'commands', toCommandTable(commands));
};

/** @param {readonly ReadyCommand[]} commands */
const toCommandTable = (commands) => {
  // The methods of each kind of record are the same: those of runs stand for all.
  const shown = commands.filter(({ name }) => !/^records\.(?!runs\b|prompts\.render)/.test(name));
  const rows = shown.map(({ name, http, summary, shape }) => {
    const args = shape().args.map(({ name: arg, place, isOptional }) =>
      place === 'rest' ? `...${arg}` : `${arg}${isOptional ? '?' : ''}`,
    );
    return [`\`${name}(${args.join(', ')})\``, `\`${http}\``, escapeText(summary)];
  });
  return toTable([['method', 'HTTP, below `/__admin`', 'what it does'], ...rows]);
};

/**
 * @param {string} text
 * @param {string} name
 * @param {string} made
 */
const fill = (text, name, made) => {
  const place = new RegExp(`(<!-- ${name} -->\n).*?(<!-- /${name} -->)`, 's');
  if (!place.test(text))
    throw new Error(
      `Failed to write what is made from the code: there is no place between <!-- ${name} --> and <!-- /${name} -->.`,
    );
  return text.replace(place, (_, begin, end) => `${begin}\n${made}\n\n${end}`);
};

/**
 * As the contract has them, section by section.
 *
 * @param {readonly Contract[]} contracts
 */
const inOrder = (contracts) =>
  contracts.toSorted((a, b) => a.section.localeCompare(b.section, 'en', { numeric: true }));

/** @param {readonly Contract[]} contracts */
const toOperationTable = (contracts) =>
  toTable([
    ['operation', 'call', '`x-gateway-virtual-key`'],
    ...inOrder(contracts).map(({ id, method, path, virtualKey }) => [
      `\`${id}\``,
      `\`${method} ${path}\``,
      virtualKey ? 'required' : '',
    ]),
  ]);

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
    ...Object.entries(assumptions).map(([id, { section, description, choices, standing }]) => [
      `\`${id}\`${standing ? '°' : ''}`,
      escapeText(section),
      escapeText(description),
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

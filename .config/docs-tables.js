// The parts of README.md and docs/ that are generated from the code: `npm run docs` writes them, test/cli/docs.test.ts checks them.
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import * as z from 'zod';

/**
 * @typedef {import('../src/index.ts').Assumption} Assumption
 * @typedef {import('../src/service/control/command.ts').NamedCommand} NamedCommand
 * @typedef {import('commander').Option} Option
 * @typedef {import('../src/core/operations/operation.ts').ContractOperation} Operation
 * @typedef {import('../src/index.ts').ScenarioInfo} ScenarioInfo
 */

/**
 * The tables and lists by the names of their places.
 *
 * @param {{
 *   assumptions: Readonly<Record<string, Assumption>>,
 *   scenarios: readonly ScenarioInfo[],
 *   operations: readonly Operation[],
 *   calls: Readonly<Record<string, string>>,
 *   commands: readonly NamedCommand[],
 *   serve: readonly Option[],
 *   exec: readonly Option[],
 * }} source what they are generated from
 * @returns {Readonly<Record<string, string>>}
 */
export const toTables = ({ assumptions, scenarios, operations, calls, commands, serve, exec }) => ({
  operations: toOperationTable(operations),
  ...calls,
  'operation-ids': inOrder(operations)
    .map(({ id }) => `\`${id}\``)
    .join(', '),
  scenarios: toScenarioList(scenarios),
  assumptions: toSwitchTable(assumptions),
  'fixed-assumptions': toFixedList(assumptions),
  commands: toCommandList(commands),
  'server-options': toOptionList(serve.filter(({ long }) => exec.some((other) => other.long === long))),
  'serve-options': toOptionList(serve.filter(({ long }) => !exec.some((other) => other.long === long))),
  limits: toLimitList(readFileSync(new URL('../src/core/util/limits.ts', import.meta.url), 'utf8')),
});

/**
 * Fills the tables of a page. A place is `<!-- NAME -->` … `<!-- /NAME -->`.
 *
 * @param {string} page
 * @param {Readonly<Record<string, string>>} tables
 * @returns {string}
 * @throws Error if a place has a name that no table has
 */
export const fillPage = (page, tables) =>
  page.replace(/(<!-- ([\w-]+) -->\n).*?(<!-- \/\2 -->)/gs, (_, begin, name, end) => {
    if (tables[name] === undefined) throw new Error(`Failed to fill <!-- ${name} -->: no such table.`);
    return `${begin}\n${tables[name]}\n\n${end}`;
  });

/**
 * A row for each group. The methods of each kind of record are the same: those of runs stand for all.
 *
 * @param {readonly NamedCommand[]} commands
 */
const toCommandList = (commands) => {
  const shown = commands.filter(
    ({ name }) => !/^records\.(?!runs\b|prompts\.(?:render|describe))/.test(name),
  );
  const groupOf = (/** @type {NamedCommand} */ { name }) => name.replace(/\.?\w+$/, '');
  const rows = [...new Set(shown.map(groupOf))].map((group) => {
    const methods = shown.filter((command) => groupOf(command) === group);
    const calls = methods.map(
      (command) => `\`${command.name.split('.').at(-1)}(${argumentsOf(command).join(', ')})\``,
    );
    return /** @type {const} */ ([group === '' ? 'itself' : `\`${group}\``, calls.join(', ')]);
  });
  return toList(rows);
};

/**
 * The named arguments, then `filter` for the keys of one, and then the keys of the objects that follow.
 *
 * @param {NamedCommand} command
 */
const argumentsOf = ({ args, schema }) => {
  const { shape } = schema();
  const mark = (/** @type {string} */ name) =>
    shape[name]?.safeParse(undefined).success ? `${name}?` : name;
  const keys = Object.keys(shape).filter((name) => !args.some((arg) => arg.endsWith(name)));
  const filter = keys.splice(0, keys.includes('unmatched') ? keys.indexOf('search') + 1 : 0);
  const object = keys.length === 0 ? [] : [`{ ${keys.join(', ')} }`];
  return [...args.map(mark), ...(filter.length === 0 ? [] : ['filter']), ...object];
};

/** @param {readonly Option[]} options of the command line */
const toOptionList = (options) =>
  toList(
    options.map(({ flags, description, defaultValue, defaultValueDescription }) => {
      const usual = String(defaultValueDescription ?? defaultValue ?? '');
      return [
        `\`${flags.replace(/<.*>/, (value) => value.slice(1, -1).toUpperCase())}\``,
        usual === '' ? description : `${description} (default: ${usual})`,
      ];
    }),
  );

/**
 * Each property with a docstring is a row.
 *
 * @param {string} file the text of src/core/util/limits.ts
 */
const toLimitList = (file) => {
  /** @type {[string, string][]} */
  const rows = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isPropertyAssignment(node)) {
      const [docs] = ts.getJSDocCommentsAndTags(node);
      rows.push([node.initializer.getText().replaceAll('_', ','), String(docs?.comment)]);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('limits.ts', file, ts.ScriptTarget.Latest, true));
  return toList(rows);
};

/**
 * The operations in the order of the contract's sections.
 *
 * @param {readonly Operation[]} operations
 */
const inOrder = (operations) =>
  operations.toSorted((a, b) =>
    a.contract.section.localeCompare(b.contract.section, 'en', { numeric: true }),
  );

/** @param {readonly Operation[]} operations */
const toOperationTable = (operations) =>
  toTable([
    ['operation', 'call', '`x-gateway-virtual-key`'],
    ...inOrder(operations).map(({ id, method, path, contract }) => [
      `[\`${id}\`](docs/calls.md#${id.toLowerCase()})`,
      `\`${method} ${path}\``,
      contract.virtualKey ? 'required' : '',
    ]),
  ]);

/**
 * What docs/calls.md has of each call: its parameters, a reply, and its errors.
 *
 * @param {readonly Operation[]} operations
 * @param {Readonly<Record<string, Assumption>>} assumptions
 * @param {(path: string, init: RequestInit) => Promise<Response>} fetch of a gateway
 * @returns {Promise<Readonly<Record<string, string>>>} by the names of their places
 */
export const toCalls = async (operations, assumptions, fetch) => {
  const headers = {
    'x-gateway-api-key': 'any',
    'x-gateway-virtual-key': 'any',
    'content-type': 'application/json',
  };
  const calls = operations.map(async ({ id, method, contract, docs: load }) => {
    const { docs } = await load();
    const [path = '', body = null] = samples[id] ?? [];
    const reply = await (await fetch(`http://gateway.test/v1${path}`, { method, headers, body })).json();
    const { properties = {} } = z.toJSONSchema(contract.query);
    const rows = Object.entries(docs.query).map(([name, { description }]) => {
      const { minimum, maximum, enum: values, default: usual } = Object(properties[name]);
      const bounds = [minimum, maximum].filter((bound) => Math.abs(bound) < Number.MAX_SAFE_INTEGER);
      return [`\`${name}\``, values?.join(', ') ?? bounds.join(' to '), String(usual ?? ''), description];
    });
    const refusals = [...new Set([docs.refused.name, ...docs.refusals])].map((name) => {
      const [[value = '', meaning = ''] = []] = assumptions[name]?.choices ?? [];
      return { name, status: /\b[45]\d\d\b/.exec(`${value} ${meaning}`)?.[0] };
    });
    const statuses = [...new Set(refusals.flatMap(({ status = [] }) => status))].sort(); // others are not refused
    const errors = statuses.map((status) => {
      const names = refusals.flatMap((refusal) => (refusal.status === status ? `\`${refusal.name}\`` : []));
      return /** @type {const} */ ([status, names.join(', ')]);
    });
    const parameters = toTable([['query parameter', 'values', 'default', 'what it does'], ...rows]);
    return [
      ...(rows.length === 0 ? [] : [[`${id}-parameters`, parameters]]),
      [`${id}-reply`, `\`\`\`json\n${toShortJson(reply)}\n\`\`\``],
      [`${id}-errors`, toList(errors)],
    ];
  });
  return Object.fromEntries((await Promise.all(calls)).flat());
};

/** A call of each operation in the scenario `default`, with its body. @type {Readonly<Record<string, readonly [string, string?]>>} */
const samples = {
  renderPrompt: [
    '/prompts/prompt_welcome/render',
    '{"variables":{"product":"Lumen","language":"English","name":"Ada"},"temperature":0}',
  ],
  listRuns: ['/threads/thread_demo/runs?limit=1&order=asc'],
  listBatches: ['/batches?limit=1'],
  listCheckpoints: ['/fine_tuning/jobs/ftjob_demo/checkpoints?limit=1'],
  getRateLimitsPolicy: ['/policies/rate-limits/11111111-1111-4111-8111-111111111111'],
};

/**
 * Formats JSON; each value that fits into one line is on one line.
 *
 * @param {unknown} value
 * @param {string} [indent]
 * @returns {string}
 */
const toShortJson = (value, indent = '') => {
  const line = JSON.stringify(value, null, 1).replaceAll(/\n */g, ' ');
  if (typeof value !== 'object' || value === null || line.length + indent.length < 100) return line;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const parts = Object.entries(value).map(
    ([key, part]) =>
      `${indent}  ${Array.isArray(value) ? '' : `"${key}": `}${toShortJson(part, `${indent}  `)}`,
  );
  return `${open}\n${parts.join(',\n')}\n${indent}${close}`;
};

/** @param {readonly ScenarioInfo[]} scenarios */
const toScenarioList = (scenarios) =>
  toList(scenarios.map(({ name, description }) => [`\`${name}\``, escapeText(description)]));

/**
 * The assumptions with a choice, each with all its values.
 *
 * @param {Readonly<Record<string, Assumption>>} assumptions
 */
const toSwitchTable = (assumptions) =>
  toTable([
    ['assumption', 'what it is about', 'values'],
    ...Object.entries(assumptions).flatMap(([id, { description, choices, standing }]) => {
      const values = choices.map(([value, meaning], index) => {
        const name = index === 0 ? `**${value}**` : value;
        return value === meaning ? name : `${name}: ${escapeText(meaning)}`;
      });
      return choices.length === 1 ? [] : [[toId(id, standing), escapeText(description), values.join('<br>')]];
    }),
  ]);

/**
 * The assumptions without a choice: the name of their only value says nothing, unless it is a status.
 *
 * @param {Readonly<Record<string, Assumption>>} assumptions
 */
const toFixedList = (assumptions) =>
  toList(
    Object.entries(assumptions).flatMap(([id, { description, choices, standing }]) => {
      const [[value = '', meaning = ''] = []] = choices;
      const does = /^\d/.test(value) && value !== meaning ? `${value}, ${meaning}` : meaning;
      return choices.length > 1
        ? []
        : [[toId(id, standing), escapeText(`${description.slice(0, -1)}: ${does}`)]];
    }),
  );

/** @param {string} id @param {boolean | undefined} standing */
const toId = (id, standing) => `\`${id}\`${standing ? '°' : ''}`;

/** @param {readonly (readonly [name: string, meaning: string])[]} rows */
const toList = (rows) => rows.map(([name, meaning]) => `- ${name}: ${meaning}`).join('\n');

/** @param {readonly (readonly string[])[]} rows the first is the head */
const toTable = ([head = [], ...body]) =>
  [head, head.map(() => '---'), ...body].map((row) => `| ${row.join(' | ')} |`).join('\n');

/**
 * Escapes what Markdown would not read as plain text.
 *
 * @param {string} text
 */
const escapeText = (text) => text.replace(/[\\|*<`]/g, '\\$&');

// The proxy of docs/kubernetes is that of docs/replicas.cfg, with the names of the replicas' services.
/**
 * @param {string} config that of docs/replicas.cfg
 * @returns {string} the text of docs/kubernetes/base/haproxy.cfg, which `npm run docs` writes
 */
export const toPodsProxy = (config) =>
  config
    .replace(/^# .*/, '# Written by `npm run docs`, from docs/replicas.cfg.')
    .replace(
      'global\n',
      'global\n  maxconn 1500              # 308 MB with slow uploads and replies on all; more connections wait\n',
    )
    .replace('bind 127.0.0.1:4010', 'bind :4010')
    .replace(
      /replica-(\d) 127\.0\.0\.1:\d+/g,
      (_, number) => `replica-${number} gateway-mock-${number - 1}:4010`,
    );

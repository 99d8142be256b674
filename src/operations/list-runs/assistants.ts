import { words } from 'virtual:words';
import { createIds } from '../../world/ids.ts';
import { createRandom, type Random } from '../../world/random.ts';

/** What runs take over from the assistant that they run on. */
export interface Assistant {
  readonly id: string;
  readonly model: string;
  readonly instructions: string;
  readonly tools: readonly Tool[];
}

type Tool =
  | { readonly type: 'code_interpreter' }
  | { readonly type: 'file_search' }
  | { readonly type: 'function'; readonly function: FunctionTool };

interface FunctionTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: object;
  readonly strict: boolean;
}

/** A function, and the types of its parameters. */
interface Described {
  readonly name: string;
  readonly description: string;
  readonly fields: object;
}

/** The functions that assistants call, each with plausible arguments of a call. */
const functions = [
  {
    name: 'get_order_status',
    description: 'Look up where an order is.',
    fields: { order_id: 'string' },
    sample: (random: Random) => ({ order_id: `SO-${random.int(100_000, 999_999)}` }),
  },
  {
    name: 'search_flights',
    description: 'Find flights between two airports on one day.',
    fields: { from: 'string', to: 'string', passengers: 'integer' },
    sample: (random: Random) => ({
      from: random.pick(['LIS', 'BER', 'OSL', 'NRT']),
      to: random.pick(['JFK', 'CDG', 'SIN', 'GRU']),
      passengers: random.int(1, 4),
    }),
  },
  {
    name: 'create_ticket',
    description: 'Open a support ticket and hand the conversation to a person.',
    fields: { subject: 'string', priority: 'string' },
    sample: (random: Random) => ({
      subject: random.pick(['Refund not received', 'Cannot sign in', 'Invoice shows the wrong address']),
      priority: random.pick(['low', 'normal', 'high']),
    }),
  },
  {
    name: 'get_weather',
    description: 'Current weather of a city.',
    fields: { city: 'string', unit: 'string' },
    sample: (random: Random) => ({
      city: random.pick(words.cities),
      unit: random.pick(['celsius', 'fahrenheit']),
    }),
  },
] as const;

/** Plausible arguments of a call; none for a function that is not known. */
export const sampleArguments = (name: string, random: Random): object =>
  functions.find((known) => known.name === name)?.sample(random) ?? {};

/** The names of the functions among tools, which may have any shape where they are given by hand. */
export const functionNames = (tools: readonly unknown[]): string[] =>
  tools.flatMap((tool) => {
    const { type, function: called } = Object(tool);
    const name: unknown = Object(called).name;
    return type === 'function' && typeof name === 'string' ? [name] : [];
  });

const models = ['gpt-4o', 'gpt-4o-mini', 'gpt-4.1', 'gpt-4.1-mini', 'o3-mini'] as const;

const duties = [
  (company: string) =>
    `You are the support assistant of ${company}. Answer from the help centre alone, in at most five sentences. If you are not sure, open a ticket instead of guessing.`,
  (company: string) =>
    `You are a data analyst at ${company}. Use the code interpreter for every calculation, show the table you worked from, and round money to two decimals.`,
  (company: string) =>
    `You plan business trips for the people of ${company}. Prefer direct flights, never book anything yourself, and give prices in the traveller's currency.`,
  (company: string) =>
    `You review contracts for ${company}. Quote the clause you refer to, flag anything unusual, and do not give legal advice.`,
  (company: string) =>
    `You write product descriptions for ${company}: two short paragraphs, plain words, no superlatives.`,
  (company: string) =>
    `You tutor new colleagues of ${company} in SQL. Ask one question at a time, and explain mistakes before you correct them.`,
] as const;

/** Every account has these many assistants; its runs are spread over them. */
const size = 8;

/** One of the account's assistants, drawn from `random`; one that has functions where the run is to call one. */
export const assistantOf = (seed: number, random: Random, callsFunctions: boolean): Assistant => {
  const index = random.int(0, size - 1);
  // Every other assistant has functions.
  return makeAssistant(seed, callsFunctions ? index - (index % 2) : index);
};

const makeAssistant = (seed: number, index: number): Assistant => {
  const random = createRandom(seed, 'assistant', index);
  const duty = random.pick(duties);
  const first = random.int(0, functions.length - 1);
  const offered =
    index % 2 === 0 ? functions.filter((_, at) => at === first || at === (first + 1) % functions.length) : [];
  const helpers: readonly Tool[] = random.pick([
    [],
    [{ type: 'file_search' }],
    [{ type: 'code_interpreter' }],
    [{ type: 'code_interpreter' }, { type: 'file_search' }],
  ]);
  return {
    id: createIds('asst_', `${seed}/assistant`).at(index),
    model: random.pick(models),
    instructions: duty(random.pick(words.companies)),
    tools: [...helpers, ...offered.map(toTool)],
  };
};

/** These tools, and the functions of these names. */
export const withFunctions = (tools: readonly Tool[], names: readonly string[]): readonly Tool[] => {
  const missing = [...new Set(names)].filter((name) => !functionNames(tools).includes(name));
  const unknown = { description: 'A function of your own.', fields: {} };
  return [
    ...tools,
    ...missing.map((name) => toTool(functions.find((known) => known.name === name) ?? { name, ...unknown })),
  ];
};

const toTool = ({ name, description, fields }: Described): Tool => ({
  type: 'function',
  function: {
    name,
    description,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(Object.entries(fields).map(([field, type]) => [field, { type }])),
      required: Object.keys(fields),
      additionalProperties: false,
    },
    strict: true,
  },
});

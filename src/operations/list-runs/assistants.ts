import type { Faker } from '@faker-js/faker';
import { drawId, fakerOf } from '../../world/faker.ts';

/** The values that runs take from their assistant. */
export interface Assistant {
  readonly id: string;
  readonly model: string;
  readonly instructions: string | null;
  readonly tools: readonly Tool[];
}

/** A tool of an assistant. */
export type Tool =
  | { readonly type: 'code_interpreter' }
  | { readonly type: 'file_search' }
  | { readonly type: 'function'; readonly function: FunctionTool };

interface FunctionTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: object;
  readonly strict: boolean;
}

/** A function with the types of its parameters, and example arguments. */
interface Described {
  readonly name: string;
  readonly description: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly sample: (faker: Faker) => object;
}

/** The functions that assistants call. */
const functions: readonly Described[] = [
  {
    name: 'get_order_status',
    description: 'Look up where an order is.',
    fields: { order_id: 'string' },
    sample: (faker) => ({ order_id: `SO-${faker.string.numeric(6)}` }),
  },
  {
    name: 'search_flights',
    description: 'Find flights between two airports on one day.',
    fields: { from: 'string', to: 'string', passengers: 'integer' },
    sample: (faker) => {
      const [from, to] = faker.helpers.arrayElements(
        ['LIS', 'BER', 'OSL', 'NRT', 'JFK', 'CDG', 'SIN', 'GRU'],
        2,
      );
      return { from, to, passengers: faker.number.int({ min: 1, max: 4 }) };
    },
  },
  {
    name: 'create_ticket',
    description: 'Open a support ticket and hand the conversation to a person.',
    fields: { subject: 'string', priority: 'string' },
    sample: (faker) => ({
      subject: faker.helpers.arrayElement([
        'Refund not received',
        'Cannot sign in',
        'Invoice shows the wrong address',
      ]),
      priority: faker.helpers.arrayElement(['low', 'normal', 'high']),
    }),
  },
  {
    name: 'get_weather',
    description: 'Current weather of a city.',
    fields: { city: 'string', unit: 'string' },
    sample: (faker) => ({
      city: faker.location.city(),
      unit: faker.helpers.arrayElement(['celsius', 'fahrenheit']),
    }),
  },
];

/** Example arguments of a call; empty for an unknown function. */
export const sampleArguments = (name: string, faker: Faker): object =>
  functions.find((known) => known.name === name)?.sample(faker) ?? {};

/** The names of the functions among tools, which may have any shape in a written record. */
export const functionNames = (tools: readonly unknown[]): string[] =>
  tools.flatMap((tool) => {
    const { type, function: called } = Object(tool);
    const name: unknown = Object(called).name;
    return type === 'function' && typeof name === 'string' ? [name] : [];
  });

const models = ['gpt-4o', 'gpt-4o-mini', 'gpt-4.1', 'gpt-4.1-mini', 'o3-mini'] as const;

/** Whether a model is a reasoning model, which only supports a temperature of 1. */
export const isReasoning = (model: string): boolean => /^o\d/.test(model);

/** The roles of assistants, each with suitable instructions and tools. */
const duties: readonly {
  readonly functions: readonly string[];
  readonly helpers: readonly Exclude<Tool['type'], 'function'>[];
  readonly instructions: (company: string) => string;
}[] = [
  {
    functions: ['get_order_status', 'create_ticket'],
    helpers: ['file_search'],
    instructions: (company) =>
      `You are the support assistant of ${company}. Answer from the help centre alone, in at most five sentences. If you are not sure, open a ticket instead of guessing.`,
  },
  {
    functions: ['search_flights', 'get_weather'],
    helpers: [],
    instructions: (company) =>
      `You plan business trips for the people of ${company}. Prefer direct flights, never book anything yourself, and give prices in the traveller's currency.`,
  },
  {
    functions: [],
    helpers: ['code_interpreter'],
    instructions: (company) =>
      `You are a data analyst at ${company}. Use the code interpreter for every calculation, show the table you worked from, and round money to two decimals.`,
  },
  {
    functions: [],
    helpers: ['file_search'],
    instructions: (company) =>
      `You review contracts for ${company}. Quote the clause you refer to, flag anything unusual, and do not give legal advice.`,
  },
  {
    functions: [],
    helpers: [],
    instructions: (company) =>
      `You write product descriptions for ${company}: two short paragraphs, plain words, no superlatives.`,
  },
  {
    functions: [],
    helpers: ['code_interpreter', 'file_search'],
    instructions: (company) =>
      `You tutor new colleagues of ${company} in SQL. Ask one question at a time, and explain mistakes before you correct them.`,
  },
];

/** The customer of a thread, and the assistants of its runs: one with functions, and perhaps another. */
export interface Thread {
  readonly id: string;
  readonly customer: string;
  readonly country: string;
  readonly channel: string;
  readonly assistants: readonly [Assistant, ...Assistant[]];
}

export const threadOf = (seed: number, id: string): Thread => {
  const company = fakerOf(seed, 'account').company.name();
  const faker = fakerOf(seed, 'assistants', id);
  const { arrayElement } = faker.helpers;
  const first = makeAssistant(
    arrayElement(duties.filter((duty) => duty.functions.length > 0)),
    company,
    faker,
  );
  const other = makeAssistant(arrayElement(duties), company, faker);
  const thread = {
    id,
    customer: faker.person.fullName(),
    country: faker.location.countryCode(),
    channel: arrayElement(['web', 'web', 'ios', 'android', 'email', 'slack']),
  };
  // Two threads in three have two assistants, one of them without instructions: two in five have none.
  if (faker.number.int(2) === 0) return { ...thread, assistants: [first] };
  const hasInstructions = faker.datatype.boolean();
  return {
    ...thread,
    assistants: [
      hasInstructions ? first : { ...first, instructions: null },
      hasInstructions ? { ...other, instructions: null } : other,
    ],
  };
};

const makeAssistant = (duty: (typeof duties)[number], company: string, faker: Faker): Assistant => ({
  id: drawId('asst_'),
  model: faker.helpers.arrayElement(models),
  instructions: duty.instructions(company),
  tools: [
    ...duty.helpers.map((type) => ({ type })),
    ...functions.filter(({ name }) => duty.functions.includes(name)).map(toTool),
  ],
});

const toTool = ({ name, description, fields }: Pick<Described, 'name' | 'description' | 'fields'>): Tool => ({
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

import type { Faker } from '@faker-js/faker';
import { ownValue } from '../../util/mapping.ts';
import { drawId, fakerOf } from '../../world/faker.ts';

/** A function that assistants call, with the types of its parameters, and example arguments. */
interface ExampleFunction {
  readonly description: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly sample: (faker: Faker) => object;
}

const functions: Readonly<Record<string, ExampleFunction>> = {
  get_order_status: {
    description: 'Look up where an order is.',
    fields: { order_id: 'string' },
    sample: ({ string }) => ({ order_id: `SO-${string.numeric(6)}` }),
  },
  search_flights: {
    description: 'Find flights between two airports on one day.',
    fields: { from: 'string', to: 'string', passengers: 'integer' },
    sample: ({ helpers, number }) => {
      const airports = ['LIS', 'BER', 'OSL', 'NRT', 'JFK', 'CDG', 'SIN', 'GRU'];
      const [from, to] = helpers.arrayElements(airports, 2);
      return { from, to, passengers: number.int({ min: 1, max: 4 }) };
    },
  },
  create_ticket: {
    description: 'Open a support ticket and hand the conversation to a person.',
    fields: { subject: 'string', priority: 'string' },
    sample: ({ helpers: { arrayElement } }) => ({
      subject: arrayElement(['Refund not received', 'Cannot sign in', 'Invoice shows the wrong address']),
      priority: arrayElement(['low', 'normal', 'high']),
    }),
  },
  get_weather: {
    description: 'Current weather of a city.',
    fields: { city: 'string', unit: 'string' },
    sample: ({ helpers, location }) => ({
      city: location.city(),
      unit: helpers.arrayElement(['celsius', 'fahrenheit']),
    }),
  },
};

/** Example arguments of a call; empty for an unknown function. */
export const sampleArguments = (name: string, faker: Faker): object =>
  ownValue(functions, name)?.sample(faker) ?? {};

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

/** The roles of assistants: their tools, by type or as the name of a function, and suitable instructions. COMPANY stands for a name. */
const duties: readonly Duty[] = [
  [
    ['file_search', 'get_order_status', 'create_ticket'],
    'You are the support assistant of COMPANY. Answer from the help centre alone, in at most five sentences. If you are not sure, open a ticket instead of guessing.',
  ],
  [
    ['search_flights', 'get_weather'],
    "You plan business trips for the people of COMPANY. Prefer direct flights, never book anything yourself, and give prices in the traveller's currency.",
  ],
  [
    ['code_interpreter'],
    'You are a data analyst at COMPANY. Use the code interpreter for every calculation, show the table you worked from, and round money to two decimals.',
  ],
  [
    ['file_search'],
    'You review contracts for COMPANY. Quote the clause you refer to, flag anything unusual, and do not give legal advice.',
  ],
  [[], 'You write product descriptions for COMPANY: two short paragraphs, plain words, no superlatives.'],
  [
    ['code_interpreter', 'file_search'],
    'You tutor new colleagues of COMPANY in SQL. Ask one question at a time, and explain errors before you correct them.',
  ],
];

type Duty = readonly [tools: readonly string[], instructions: string];

const hasFunctions = ([tools]: Duty): boolean => tools.some((name) => name in functions);

/** The customer of a thread, and the assistants of its runs: the first has functions, and there may be a second. */
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
  const first = makeAssistant(arrayElement(duties.filter(hasFunctions)), company, faker);
  const other = makeAssistant(arrayElement(duties), company, faker);
  const thread = {
    id,
    customer: faker.person.fullName(),
    country: faker.location.countryCode(),
    channel: arrayElement(['web', 'web', 'ios', 'android', 'email', 'slack']),
  };
  // Two threads in three have a second assistant, and one of the two has no instructions: two in five assistants.
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

type Assistant = ReturnType<typeof makeAssistant>;

/** The values that runs take from their assistant. */
const makeAssistant = ([tools, instructions]: Duty, company: string, faker: Faker) => ({
  id: drawId('asst_'),
  model: faker.helpers.arrayElement(models),
  instructions: instructions.replace('COMPANY', () => company) as string | null, // a thread may take it away
  tools: tools.map(toTool),
});

const toTool = (name: string): object => {
  const signature = functions[name];
  if (signature === undefined) return { type: name };
  const { description, fields } = signature;
  const properties = Object.fromEntries(Object.entries(fields).map(([field, type]) => [field, { type }]));
  const parameters = {
    type: 'object',
    properties,
    required: Object.keys(fields),
    additionalProperties: false,
  };
  return { type: 'function', function: { name, description, parameters, strict: true } };
};

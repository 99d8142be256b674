import type { BatchState, RunState } from '../assumptions/record-states.ts';
import type { AssumptionChoices } from '../assumptions/table.ts';
import type { FaultLine } from '../faults/line.ts';
import type { Policy } from '../operations/get-rate-limits-policy/types.ts';
import type { Batch } from '../operations/list-batches/types.ts';
import type { Checkpoint } from '../operations/list-checkpoints/types.ts';
import type { Run } from '../operations/list-runs/types.ts';
import type {
  PromptTemplate,
  PromptVersion,
  SinglePrompt,
  VersionedPrompt,
} from '../operations/render-prompt/types.ts';
import type { Amount } from '../world/amount.ts';
import type { ShippedScenario } from './shipped-names.ts';

/** The name of a scenario: a shipped scenario, whose name editors complete, or a scenario of your own. */
export type ScenarioName = ShippedScenario | (string & {});

/** A starting state of a world, as a scenario file has it. Every part is optional. */
export interface Scenario {
  /** The path or URL of the schema of scenarios, for editors. */
  $schema?: string;
  /** The scenario to start from. Mappings are merged, other values replaced; null deletes a key. */
  extends?: ScenarioName;
  /** What the scenario is for, in one line. */
  description?: string;
  /** The seed of all records and ids. Default: 42. */
  seed?: number | undefined;
  /** The clock: date-times in UTC, and a speed in world seconds per real second. Default: frozen at 2026-01-15T12:00:00Z. */
  clock?: { start?: string | undefined; now?: string; speed?: number | undefined } | undefined;
  /** The number of requests so far. Default: 0. */
  requests?: number | undefined;
  /** The number of records created by commands so far. Default: 0. */
  made?: number | undefined;
  /** The API keys and virtual keys that are accepted. Default: any. */
  keys?:
    | {
        valid?: string[];
        expired?: string[];
        exhausted?: string[];
        limited?: Record<string, string[]>;
        virtual?: string[];
      }
    | undefined;
  /** The values of assumptions. Default: those of the mock. */
  assumptions?: AssumptionChoices;
  /** The threads by id, with their runs. */
  threads?: Record<string, ThreadSection> | undefined;
  /** The batches: how many to seed, in total or of each state; or an object that also has changes. */
  batches?: Amount<BatchState> | BatchesSection | undefined;
  /** The fine-tuning jobs by id, with their checkpoints. */
  jobs?: Record<string, JobSection> | undefined;
  /** The rate-limits policies. */
  policies?: PoliciesSection | undefined;
  /** The stored prompts by id, each a prompt or the name of a fixture. */
  prompts?: Record<string, string | WrittenTemplate<SinglePrompt> | WrittenVersions> | undefined;
  /** The records of your own kinds (`defineRecords`), by the names of the kinds, oldest first. */
  own?: Record<string, { id: string; [field: string]: unknown }[]> | undefined;
  /** The faults, each as its line. Default: none. */
  faults?: (FaultLine | object)[] | undefined;
  /** Whether the active rate-limit policies are enforced. Default: false. */
  quotas?:
    | boolean
    | {
        enforced: boolean;
        used: { policy: string; group: string[]; window: number; used: number }[];
        matched?: Record<string, number>;
      }
    | undefined;
}

/** A thread of a scenario. */
export interface ThreadSection
  extends Changes<FieldsWithStatus<Run, RunState> & Future<RunState, FieldsWithStatus<Run, RunState>>> {
  /** How many runs to seed, in total or of each state. Default: 0. */
  runs?: Amount<RunState> | undefined;
  /** How many adjacent runs share one `created_at`. Default: a natural pattern. */
  ties?: number;
}

/** The batches of a scenario. */
export interface BatchesSection
  extends Changes<
    FieldsWithStatus<Batch, BatchState> & Future<BatchState, FieldsWithStatus<Batch, BatchState>>
  > {
  /** How many to seed, in total or of each state. */
  seeded?: Amount<BatchState> | undefined;
  /** How many adjacent batches share one `created_at`. Default: a natural pattern. */
  ties?: number;
}

/** A fine-tuning job of a scenario. */
export interface JobSection extends Changes<Fields<Checkpoint>> {
  /** How many checkpoints the training makes in total. */
  checkpoints?: number | undefined;
  /** How many of them exist at the start. The others appear as the clock advances. Default: all. */
  made?: number;
}

/** The policies of a scenario. */
export interface PoliciesSection extends Changes<Fields<Policy>> {
  /** How many to seed. */
  seeded?: number | undefined;
}

/** The changes to the seeded records of a list. */
export interface Changes<Written> {
  /** Records to write: complete ones, or some fields to change in the seeded record with that id. */
  records?: (Written & { id: string })[] | undefined;
  /** The ids of seeded records to leave out. */
  deleted?: string[] | undefined;
}

/** Some fields of a record. */
export type Fields<Value> = { [Field in keyof Value]?: Value[Field] | undefined };

/** Some fields of a record. An assumption decides which names of states are allowed; editors complete the known names. */
export type FieldsWithStatus<Value, State extends string> = Fields<Omit<Value, 'status'>> & {
  status?: State | (string & {}) | undefined;
};

/** The later changes of a record. Without them, a record with a status stays as it is. */
export interface Future<State extends string, Values> {
  /** The state in which it ends, or stays if that is not final. Default: completed. */
  ends?: State;
  /** When it gets there: a duration from its creation, such as `'5m'`, or seconds. */
  after?: string | number;
  /** The changes, each with its time, in seconds since 1970. */
  transitions?: { at: number; set: Values }[];
}

/** A template of a prompt, whose hyperparameters may be left out. */
type WrittenTemplate<Template extends PromptTemplate> = Omit<Template, 'parameters'> &
  Partial<Fields<Pick<Template, 'parameters'>>>;

type WrittenVersions = Omit<VersionedPrompt, 'versions'> & {
  versions: (Omit<WrittenTemplate<PromptVersion>, 'labels'> & Fields<Pick<PromptVersion, 'labels'>>)[];
};

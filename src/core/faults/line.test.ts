import { expectTypeOf, test } from 'vitest';
import type { Control } from '../../service/control/control-interface.ts';
import type { GatewayOptions } from '../../service/gateway/gateway-options.ts';
import type { Scenario } from '../scenario/scenario-types.ts';
import { effectKinds, pageKinds } from './fault-kinds.ts';
import type { FaultLine } from './line.ts';
import { parseRule } from './rule.ts';

/** The members of a union that are not any string. */
type LiteralsOf<Text> = Text extends string ? (string extends Text ? never : Text) : never;

/** The lines that editors complete. */
type Completed = LiteralsOf<FaultLine>;

test('editors complete lines that the parser reads, of each kind', () => {
  const pages = pageKinds.map((kind): FaultLine => `listRuns: ${kind}`);
  const calls = effectKinds.map(
    (kind): FaultLine => `*: ${kind}${['delay', 'drip'].includes(kind) ? ' 2s' : ''}`,
  );
  for (const line of [...pages, ...calls, 'renderPrompt: 503']) parseRule(line);
  expectTypeOf<
    'listRuns: cursor-loop' | '*: reset' | 'renderPrompt: 503' | 'listBatches: delay 2s'
  >().toExtend<Completed>();
  expectTypeOf<'listRunz: reset'>().not.toExtend<Completed>();
  expectTypeOf<'renderPrompt: cursor-loop'>().not.toExtend<Completed>(); // it is no list
});

test('any line is accepted, such as one for a call of your own', () => {
  expectTypeOf<string>().toExtend<Parameters<Control['faults']['add']>[number]>();
  expectTypeOf<string>().toExtend<NonNullable<GatewayOptions['faults']>[number]>();
  expectTypeOf<string>().toExtend<NonNullable<Scenario['faults']>[number]>();
  expectTypeOf<string>().toExtend<Parameters<Control['clock']['advance']>[0]>();
  expectTypeOf<Control['assumptions']['set']>().toBeCallableWith('unknown-cursor', 'empty-page' as string);
});

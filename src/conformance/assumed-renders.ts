// Assumptions about the root fields of a rendering.

import type { AssumptionId } from '../protocol/assumptions.ts';
import type { AssumptionCheck } from './assumption-check.ts';
import { fieldOf, readData } from './calls.ts';
import { formatValue, NotCheckable } from './check.ts';
import { contentsOf, sentParameters } from './renderings.ts';

const tag = '{{gwm}}';
const reserved = ['variables', 'prompt_id'];

export const assumedRenders = {
  'hyperparameter-precedence': {
    needs: ['prompt'],
    observe: async (target) => {
      const { data: plain } = await readData(target);
      const [name, value] =
        Object.entries(sentParameters).find(
          ([one, sent]) => typeof sent === 'number' && typeof fieldOf(plain, one) === 'number',
        ) ?? [];
      if (name === undefined) throw new NotCheckable('the prompt sets no numeric hyperparameter.');
      // A value other than the template's.
      const sent = fieldOf(plain, name) === value ? Number(value) + 1 : value;
      const { request, data } = await readData(target, { [name]: sent });
      const found = fieldOf(data, name);
      return {
        request: `${request} with ${name} ${formatValue(sent)}`,
        value: found === sent ? 'request' : undefined,
        actual: `data.${name} ${formatValue(found)}`,
      };
    },
  },
  'root-messages-rendered': {
    needs: ['prompt'],
    observe: async (target) => {
      const { samples } = target;
      const variables = { ...samples.variables, gwm: 'gwm-value' };
      const messages = [{ role: 'user', content: tag }];
      const { request, data } = await readData(
        { ...target, samples: { ...samples, variables } },
        { messages },
      );
      const texts = contentsOf(data);
      if (texts.length !== 1) throw new NotCheckable('the target does not return the sent messages.');
      return {
        request: `${request} with messages`,
        value: texts[0] === tag ? 'verbatim' : undefined,
        actual: `the content ${formatValue(texts[0])}`,
        expected: `the content ${formatValue(tag)}`,
      };
    },
  },
  'render-reserved-keys': {
    needs: ['prompt'],
    observe: async (target) => {
      await readData(target); // a call that also fails without the key proves nothing
      const { request, data } = await readData(target, { prompt_id: 'gwm' });
      const passed = reserved.filter((name) => fieldOf(data, name) !== undefined);
      return {
        request: `${request} with prompt_id`,
        value: passed.length === 0 ? 'left-out' : undefined,
        actual: `data with ${passed.join(' and ') || 'neither'}`,
      };
    },
  },
} satisfies Partial<Record<AssumptionId, AssumptionCheck>>;

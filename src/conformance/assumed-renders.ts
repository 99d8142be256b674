// What the mock renders of what stands at the root of a body where the contract is silent, and what a target does.
import type { AssumptionId } from '../protocol/assumptions.ts';
import type { AssumptionCheck } from './assumption-check.ts';
import { fieldOf, isObject, readObject, renderCall } from './calls.ts';
import { describeCall, NotCheckable, show, type Target } from './check.ts';
import { sentParameters } from './renderings.ts';

/** The prompt's rendering, with `body` beside the variables, and how it was asked for. */
const readData = async (target: Target, body: Readonly<Record<string, unknown>> = {}) => {
  const call = renderCall(target.samples, body);
  return { asked: describeCall(call), data: fieldOf(await readObject(target, call), 'data') };
};

const tag = '{{gwm}}';
const reserved = ['variables', 'prompt_id'];

export const assumedRenders = {
  'hyperparameter-precedence': {
    needs: ['prompt'],
    look: async (target) => {
      const { data: plain } = await readData(target);
      const [name, value] =
        Object.entries(sentParameters).find(
          ([one, sent]) => typeof sent === 'number' && typeof fieldOf(plain, one) === 'number',
        ) ?? [];
      if (name === undefined) throw new NotCheckable('the prompt sets none of the hyperparameters to send.');
      // Another value than that of the template.
      const sent = fieldOf(plain, name) === value ? Number(value) + 1 : value;
      const { asked, data } = await readData(target, { [name]: sent });
      const found = fieldOf(data, name);
      return {
        asked: `${asked} with ${name} ${show(sent)}`,
        value: found === sent ? 'request' : undefined,
        came: `data.${name} ${show(found)}`,
      };
    },
  },
  'root-messages-rendered': {
    needs: ['prompt'],
    look: async (target) => {
      const { samples } = target;
      const variables = { ...samples.variables, gwm: 'gwm-value' };
      const messages = [{ role: 'user', content: tag }];
      const { asked, data } = await readData({ ...target, samples: { ...samples, variables } }, { messages });
      const found = fieldOf(data, 'messages');
      const texts = Array.isArray(found) ? found.filter(isObject).map((one) => one.content) : [];
      if (texts.length !== 1) throw new NotCheckable('the messages sent are not those of the answer.');
      return {
        asked: `${asked} with messages`,
        value: texts[0] === tag ? 'verbatim' : undefined,
        came: `the content ${show(texts[0])}`,
        expected: `the content ${show(tag)}`,
      };
    },
  },
  'render-reserved-keys': {
    needs: ['prompt'],
    look: async (target) => {
      await readData(target); // a call that fails without the key tells nothing
      const { asked, data } = await readData(target, { prompt_id: 'gwm' });
      const passed = reserved.filter((name) => fieldOf(data, name) !== undefined);
      return {
        asked: `${asked} with prompt_id`,
        value: passed.length === 0 ? 'left-out' : undefined,
        came: `data with ${passed.join(' and ') || 'neither'}`,
      };
    },
  },
} satisfies Partial<Record<AssumptionId, AssumptionCheck>>;

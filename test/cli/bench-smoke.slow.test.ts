import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contenders } from '../bench/contenders.js';
import { type Data, gatherData, pageAsk } from '../bench/data.js';
import { stopAll } from '../bench/processes.js';
import { checkAnswers, checkKeys, toTargets } from '../bench/targets.js';
import { serve } from '../bench/throughput.js';
import { buildFolder } from '../support/write-built.ts';

// The benchmark times nothing here: it is only seen to have what to compare.
const folder = buildFolder;

describe('every contender of the benchmark', () => {
  let data: Data;
  beforeAll(async () => {
    const {
      urls: [url = ''],
      leave,
    } = await serve(['ours'], folder);
    data = await gatherData(url, folder);
    await leave();
  });

  afterAll(stopAll);

  test.for(Object.keys(contenders))(
    'starts, answers what the others answer, and stops: %s',
    async (name, { skip }) => {
      const {
        urls: [url = ''],
        leave,
      } = await serve([name], folder).catch((error: Error) => {
        const missing = /Cannot find (?:package|module) '[^']+'/.exec(error.message)?.[0];
        if (missing === undefined) throw error;
        console.warn(`Left out ${name}: ${missing}.`);
        return skip(missing);
      });
      const targets = Object.values(toTargets(data, pageAsk))
        .flat()
        .filter(({ contender }) => contender === name);
      for (const target of targets) expect(await checkAnswers(target, url)).toBeGreaterThan(100);
      if (name.startsWith('ours')) await checkKeys(url);
      await leave();
      await expect(fetch(url)).rejects.toThrow('fetch failed');
    },
  );
});

// What the load is put on, and what it is compared with.
import { isDeepStrictEqual } from 'node:util';
import { fetchText, freshAsks, pageAsk, policyAsk, renderAsks, walkAsks } from './data.js';

/**
 * @typedef {object} Target
 * @property {string} name
 * @property {string} contender the name of the one that serves it
 * @property {readonly import('./data.js').Ask[]} asks
 * @property {string} [text] what is to be answered to the first of them; without it, there is nothing to compare with
 * @property {boolean} [hasOwnShape] whether it cannot send these bytes, and answers the list alone
 */

export const names = {
  bare: 'bare node:http, ready bytes',
  slicing: 'bare node:http, slice and JSON.stringify',
  fastify: 'fastify',
  ours: 'gateway-mock, the direct way',
  fresh: 'gateway-mock, each page for the first time',
  noJournal: 'gateway-mock, journal: 0',
  bareRender: 'bare node:http, one rendered answer',
  render: 'gateway-mock, render of prompt_support',
  barePolicy: 'bare node:http, the policy',
  policy: 'gateway-mock, policy look-up',
  first: 'gateway-mock, first page of 100,000 runs',
  deep: 'gateway-mock, page 90,000 runs deep',
  walk: 'gateway-mock, 50 pages of 1,000 runs in turn',
};

/**
 * @param {import('./data.js').Data} data
 * @param {import('./data.js').Ask} deepAsk
 * @returns {Record<string, Target[]>} by the title of their table
 */
export const toTargets = (data, deepAsk) => {
  /** @type {(name: string, contender: string) => Target} */
  const onPage = (name, contender) => ({ name, contender, asks: [pageAsk], text: data.page });
  const limited = { ...pageAsk, path: `${pageAsk.path}?_limit=20` };
  return {
    'list-runs, a page of 20 of 1,000 runs, or of as many as are named': [
      // Those that are compared stand next to each other, since a machine may change its speed.
      onPage(names.bare, 'bare-page'),
      onPage(names.ours, 'ours'),
      // A parameter that nobody knows changes no answer, and keeps one that was given before from being sent again.
      { name: names.fresh, contender: 'ours-fresh', asks: freshAsks, text: data.page },
      onPage(names.fastify, 'fastify'),
      onPage(names.noJournal, 'ours-without-journal'),
      { name: names.first, contender: 'ours-of-100000', asks: [pageAsk] },
      { name: names.deep, contender: 'ours-of-100000-deep', asks: [deepAsk] },
      { name: names.walk, contender: 'ours-for-the-rest', asks: walkAsks(data), text: data.page },
      onPage("gateway-mock, transport: 'msw'", 'ours-through-msw'),
      onPage(names.slicing, 'slicing'),
      onPage('express', 'express'),
      onPage('msw and http-middleware', 'msw'),
      { ...onPage('json-server', 'json-server'), asks: [limited], hasOwnShape: true },
    ],
    'render-prompt, 50 bodies in turn': [
      { name: names.bareRender, contender: 'bare-render', asks: renderAsks, text: data.render },
      { name: names.render, contender: 'ours-for-the-rest', asks: renderAsks, text: data.render },
    ],
    'get-rate-limits-policy': [
      { name: names.barePolicy, contender: 'bare-policy', asks: [policyAsk], text: data.policy },
      { name: names.policy, contender: 'ours-for-the-rest', asks: [policyAsk], text: data.policy },
    ],
  };
};

/**
 * Checks that a target answers all that it is asked for, and the first of it as everybody else does.
 *
 * @param {Target} target
 * @param {string} url
 * @returns {Promise<number>} the bytes of the first answer
 */
export const checkAnswers = async ({ name, asks, text, hasOwnShape = false }, url) => {
  const answers = [];
  for (const ask of asks) answers.push(await fetchText(url, ask));
  const [answer = ''] = answers;
  const isEqual = hasOwnShape
    ? isDeepStrictEqual(JSON.parse(answer), JSON.parse(text ?? '').data)
    : text === undefined || answer === text;
  if (!isEqual)
    throw new Error(`Failed to compare "${name}": it answers ${asks[0]?.path} by ${answer.slice(0, 200)}`);
  return Buffer.byteLength(answer);
};

/**
 * Checks that our own server does look at the keys.
 *
 * @param {string} url
 */
export const checkKeys = async (url) => {
  const { status } = await fetch(url + pageAsk.path, {
    headers: { ...pageAsk.headers, 'x-gateway-api-key': 'no' },
  });
  if (status !== 401) throw new Error(`Failed to check the keys: ${url} answers a wrong one by ${status}.`);
};

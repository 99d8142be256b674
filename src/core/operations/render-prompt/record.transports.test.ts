import { expect, test } from 'vitest';
import { describeTransports } from '../../../../test/support/transports.ts';
import type { Scenario } from '../../scenario/scenario-types.ts';

const user = (content: string) => ({ messages: [{ role: 'user', content }] });

const scenario: Scenario = {
  prompts: {
    prompt_versions: 'prompt_versions',
    'name@home': user('at home'),
    'name@home@1': user('the whole id'),
    two: {
      versions: [
        { version: 7, ...user('seven') },
        { version: 1, labels: ['old'], ...user('one') },
      ],
    },
  },
};

describeTransports('the versions of a prompt', { scenario }, ({ post }) => {
  const render = async (id: string, body: unknown) => {
    const response = await post(`/prompts/${id}/render`, body);
    const marks = response.headers.get('x-mock-assumptions')?.split(', ') ?? [];
    return { status: response.status, marks, reply: await response.json() };
  };

  test.each([
    ['prompt_versions', 'gpt-4o', []],
    ['prompt_versions@1', 'gpt-4o-mini', ['prompt-version']],
    ['prompt_versions@latest', 'gpt-4.1', ['prompt-version']],
    ['prompt_versions@staging', 'gpt-4.1', ['prompt-version']],
    ['prompt_versions%40first', 'gpt-4o-mini', ['prompt-version']],
  ])('%s picks its version', async (id, model, marks) => {
    const rendered = await render(id, { variables: { text: 'x' } });
    expect(rendered).toMatchObject({ status: 200, marks, reply: { success: true, data: { model } } });
  });

  test.each([
    ['prompt_versions@9', ['prompt-version']],
    ['prompt_versions@01', ['prompt-version']],
    ['prompt_versions@constructor', ['prompt-version']],
    ['nobody', []],
    ['Prompt_versions', []],
  ])('%s is no prompt: 404', async (id, marks) => {
    const { status, reply, ...rest } = await render(id, { variables: {} });
    expect(status).toBe(404);
    expect(reply.message).toMatch(/^Invalid prompt id(\. Did you mean "prompt_versions"\?)?$/);
    expect(rest.marks).toEqual([...marks, 'unknown-prompt', 'error-body']);
  });

  test.each([
    ['name@home', 'at home', []],
    ['name@home@latest', 'at home', ['prompt-version']],
    ['name@home@1', 'the whole id', []],
  ])(
    '%s is found: an id may have an @ itself, and the newest version counts where none is published',
    async (id, content, marks) => {
      const rendered = await render(id, { variables: {} });
      expect(rendered.reply.data.messages.at(-1)?.content).toBe(content);
      expect(rendered.marks).toEqual(marks);
    },
  );
});

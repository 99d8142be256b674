// The rules for stored prompts that their schema cannot express: its texts are valid templates, and its hyperparameters have types that a
// request may send.
import type { AssumptionChoices } from '../../assumptions/table.ts';
import { limits } from '../../util/limits.ts';
import { isMapping, type Mapping, textsIn } from '../../util/mapping.ts';
import { truncate } from '../../util/truncate.ts';
import type { ValidationError } from '../../util/validation-error.ts';
import { describeIssue, findIssues, withoutNulls } from './hyperparameters.ts';
import { parseTemplate, TemplateError } from './parse-template.ts';

type Path = ValidationError['path'];

/** Finds the errors of a stored prompt. It skips values of the wrong type, which the schema reports. */
export function* findPromptErrors(
  prompt: unknown,
  assumptions: AssumptionChoices,
): Generator<ValidationError> {
  yield* findVersionErrors(prompt);
  for (const { path, template } of templatesOf(prompt)) {
    if ((template.messages === undefined) === (template.string === undefined))
      yield {
        path,
        message:
          template.string === undefined
            ? 'missing: expected `messages`, or `string` with their JSON text'
            : '`messages` and `string` cannot be combined',
      };
    for (const error of findTemplateErrors(template)) yield { ...error, path: [...path, ...error.path] };
    if (assumptions['hyperparameter-type'] !== 'passed-through')
      for (const error of findTypeErrors(template)) yield { ...error, path: [...path, ...error.path] };
  }
}

function* findVersionErrors(prompt: unknown): Generator<ValidationError> {
  if (!isMapping(prompt) || !Array.isArray(prompt.versions)) return;
  const names = new Set(['latest']);
  const numbers = new Set<unknown>();
  for (const [index, { version, labels = [] }] of prompt.versions.map(Object).entries()) {
    numbers.add(version);
    for (const name of [version, labels].flat().map(String)) {
      if (names.has(name))
        yield {
          path: ['versions', index],
          message: `"${truncate(name)}" is the name of more than one version`,
        };
      names.add(name);
    }
  }
  const { published } = prompt;
  if (published !== undefined && !numbers.has(published))
    yield { path: ['published'], message: `the version ${truncate(String(published))} does not exist` };
}

/** The templates of a prompt: its versions, or itself. */
export const templatesOf = (prompt: unknown): { readonly path: Path; readonly template: Mapping }[] => {
  if (!isMapping(prompt)) return [];
  const { versions } = prompt;
  if (!Array.isArray(versions)) return [{ path: [], template: prompt }];
  return versions.flatMap((version: unknown, index) =>
    isMapping(version) ? [{ path: ['versions', index], template: version }] : [],
  );
};

/** The texts of a template that are rendered, each with its path. */
export const textsOf = ({ messages, string }: Mapping): { readonly path: Path; readonly text: string }[] =>
  typeof string === 'string' ? [{ path: ['string'], text: string }] : textsIn(messages, ['messages']);

function* findTemplateErrors(template: Mapping): Generator<ValidationError> {
  let size = 0;
  for (const { path, text } of textsOf(template)) {
    if (text.includes('{{')) size += text.length;
    if (size > limits.template) {
      yield { path, message: `the texts with tags have more than ${limits.template} characters together` };
      return;
    }
    try {
      parseTemplate(text, 'kept');
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      yield { path, message: error.message, at: error.at };
    }
  }
}

function* findTypeErrors({ parameters, messages }: Mapping): Generator<ValidationError> {
  const sent = withoutNulls({
    ...(isMapping(parameters) ? parameters : {}),
    ...(Array.isArray(messages) && { messages }),
  });
  for (const issue of findIssues(sent))
    yield {
      path: issue.path[0] === 'messages' ? issue.path : ['parameters', ...issue.path],
      message: `${describeIssue(issue, sent)}. To allow it, set the assumption hyperparameter-type to "passed-through"`,
    };
}

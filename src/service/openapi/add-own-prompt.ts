import { renderPrompt } from '../../core/operations/render-prompt/handler.ts';
import type { Control } from '../control/control-interface.ts';
import { findExampleCall } from '../gateway/example-call.ts';

/**
 * The OpenAPI document with the first prompt of the default session as the example of a rendering: its id, and values for its
 * variables. Its texts are left out, since any web page may read the document.
 */
export const addOwnPrompt = async (text: string, records: Control['records']): Promise<string> => {
  const call = await findExampleCall(renderPrompt, records);
  if (call === undefined) return text;
  const document = JSON.parse(text);
  const { parameters, requestBody, responses } = document.paths[renderPrompt.path].post;
  const { success: request } = requestBody.content['application/json'].examples;
  const { promptId } = call.params;
  if (parameters[0].example === promptId && JSON.stringify(request.value) === JSON.stringify(call.body))
    return text;
  parameters[0].example = promptId;
  request.value = call.body;
  delete responses[200].content['application/json'].examples;
  return `${JSON.stringify(document, null, 2)}\n`;
};

import type { IncomingMessage, ServerResponse } from 'node:http';

const path = '/openapi.json';

/**
 * Answers GET and HEAD of `/openapi.json`, and tells whether it did. The document is made when it is first asked for,
 * so that no start waits for it, and names the server's own base URL; any page may read it, since it holds nothing of a world.
 */
export const createOpenapiListener = (version: string, findBaseUrl: () => string) => {
  let text: Promise<string> | undefined;
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const { method, url = '' } = request;
    if (!url.startsWith(path) || (url !== path && url[path.length] !== '?')) return false;
    if (method !== 'GET' && method !== 'HEAD') return false;
    text ??= import('./document.ts').then(({ openapiText }) => openapiText(version, findBaseUrl()));
    void text.then((body) => {
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'access-control-allow-origin': '*',
      });
      response.end(method === 'HEAD' ? undefined : body);
    });
    return true;
  };
};

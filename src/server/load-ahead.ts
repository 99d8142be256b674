import { loadPage } from '../admin/page.ts';
import { loadDocument } from '../openapi/node-http.ts';
import { operations } from '../scenario/schema.ts';
import { loadPrometheus } from './metrics.ts';

/** Long after the first calls of most clients, so that none of them waits for it. In milliseconds. */
const delay = 500;

/**
 * Loads what a server otherwise loads at its first use: the page, the OpenAPI document, and the library of the metrics. Then neither a rebuild beside the
 * server nor a lack of file descriptors can take them away. An import that was loaded is found again only from the same module,
 * hence these functions. What fails to load is reported at its first use.
 */
export const loadAhead = (): void => {
  setTimeout(() => {
    const loading = [loadPage(), loadDocument(), loadPrometheus(), ...operations.map(({ docs }) => docs())];
    void Promise.allSettled(loading);
  }, delay).unref();
};

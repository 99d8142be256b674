import { loadPage } from '../admin/page.ts';
import { loadFiles } from '../admin/scenario-file.ts';
import { operations } from '../scenario/schema.ts';
import { loadPrometheus } from './metrics.ts';

/**
 * Loads what a server otherwise loads at its first use, so that neither a rebuild beside the server nor a lack of file descriptors can
 * break it later. Node remembers a failed import, so this comes before the server accepts requests. An import
 * that was loaded is found again only from the same module, hence these functions.
 */
export const loadAhead = async (): Promise<void> => {
  await Promise.all([loadPage(), loadFiles(), loadPrometheus(), ...operations.map(({ docs }) => docs())]);
};

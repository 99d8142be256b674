import type { Question } from '../../confirm.tsx';
import { isolate } from '../../text.tsx';

/** What is asked before a saved state is replaced by the present one. */
export const replaceQuestion = (name: string): Question => ({
  title: 'Replace the saved state?',
  text: `The state ${isolate(name)} was saved before. What it has now is lost.`,
  action: 'Replace it',
});

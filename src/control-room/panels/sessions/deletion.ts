import type { Question } from '../../confirm.tsx';

/** What is asked before a session is deleted, or replaced by a new one of its name. */
export const toDeletion = (name: string): Question => ({
  title: `Delete the session ${name}?`,
  text: 'Its records, clock, faults and requests are lost. This cannot be undone.',
  action: `Delete ${name}`,
});

// What a session costs: the time of its first call beside that of a later one, and the memory of ten thousand.
import { cores, startChild } from './processes.js';

export const sessionNames = {
  first: 'first call of a new session',
  later: 'later call of a session',
};

/**
 * @param {string} folder
 * @returns {Promise<{ calls: import('./figures.js').Figure[], memory: number }>} the memory in MB
 */
export const measureSessions = async (folder) => {
  /** @type {{ first: number[], later: number[], memory: number }} */
  const { first, later, memory } = JSON.parse(
    await startChild(cores.server, 'sessions.js', [folder], ['--expose-gc']).end(),
  );
  return {
    calls: [
      { name: sessionNames.first, unit: 'µs', rounds: first },
      { name: sessionNames.later, unit: 'µs', rounds: later },
    ],
    memory: memory / 1e6,
  };
};

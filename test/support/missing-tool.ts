/**
 * Says which tests are left out because this machine lacks a tool. In CI, where nobody reads what a green run prints,
 * the run fails instead.
 */
export const reportMissing = (tool: string, leftOut: string, remedy: string): void => {
  const message = `There is no ${tool} here, which ${leftOut} need. ${remedy}`;
  if (process.env.CI === 'true') throw new Error(`${message} With CI=true nothing is left out.`);
  console.warn(`Left out: ${leftOut}. ${message}`);
};

const scenarioFile = /\.(ya?ml|json)$/i;

/** Whether a text is the path of a scenario file, and no name. */
export const isScenarioPath = (text: string): boolean => /[/\\]/.test(text) || scenarioFile.test(text);

/** Whether a file in a folder of scenarios is one. */
export const isScenarioFile = (file: string): boolean =>
  scenarioFile.test(file) && !file.endsWith('.schema.json');

/** The name that others know a file by: `bug-17` for `bugs/bug-17.yaml`. */
export const nameOf = (file: string): string => file.replace(/^.*[/\\]/, '').replace(scenarioFile, '');

/** The folder that a file stands in: `bugs/` for `bugs/bug-17.yaml`. */
export const folderOf = (file: string): string => file.replace(/[^/\\]*$/, '') || '.';

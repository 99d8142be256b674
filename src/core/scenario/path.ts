const scenarioFile = /\.(ya?ml|json)$/i;

/** Whether a text is the path of a scenario file, not a name. */
export const isScenarioPath = (text: string): boolean => /[/\\]/.test(text) || scenarioFile.test(text);

/** Whether a file in a folder is a scenario file, by its name. */
export const isScenarioFile = (file: string): boolean =>
  scenarioFile.test(file) && !file.endsWith('.schema.json');

/** The name of a file's scenario: `bug-17` for `bugs/bug-17.yaml`. */
export const nameOf = (file: string): string => file.replace(/^.*[/\\]/, '').replace(scenarioFile, '');

/** The folder of a file: `bugs/` for `bugs/bug-17.yaml`. */
export const folderOf = (file: string): string => file.replace(/[^/\\]*$/, '') || '.';

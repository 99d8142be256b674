import { version } from 'virtual:shipped';

/**
 * Prints the OpenAPI document, or writes it to a file.
 *
 * @throws Error where the file cannot be written
 */
export const writeOpenapi = async ({ output }: { readonly output?: string }): Promise<void> => {
  const { openapiText } = await import('../openapi/document.ts'); // no other command pays for it
  const text = await openapiText(version);
  if (output === undefined) {
    process.stdout.write(text);
    return;
  }
  const { writeFile } = await import('node:fs/promises');
  await writeFile(output, text).catch((error: Error) => {
    throw new Error(
      `the file "${output}" cannot be written: ${error.message}. Please choose another: -o FILE.`,
    );
  });
};

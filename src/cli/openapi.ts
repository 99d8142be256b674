import { gateway } from 'virtual:openapi';

/** Prints the OpenAPI document of the gateway, or writes it to a file. @throws Error if the file cannot be written */
export const writeOpenapi = async (
  { output }: { readonly output?: string },
  write: (text: string) => void,
): Promise<void> => {
  if (output === undefined) {
    write(gateway);
    return;
  }
  const { writeFile } = await import('node:fs/promises');
  await writeFile(output, gateway).catch((error: Error) => {
    throw new Error(`failed to write the file "${output}": ${error.message}. Choose another file: -o FILE.`);
  });
};

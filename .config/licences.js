// What is bundled is published again: its licences come along, in `dist/THIRD-PARTY-LICENCES.txt`.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param {import('esbuild').Metafile} metafile of a build of the package
 * @param {string} root the folder of its node_modules
 * @returns {string} each package that is in the build, with its version and the text of its licence
 */
export const collectLicences = ({ inputs }, root) => {
  const folders = new Set(
    Object.keys(inputs).flatMap((input) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? []),
  );
  folders.add('node_modules/preact'); // it is in the page, which is built apart
  folders.add('node_modules/@faker-js/faker'); // its words are
  return [...folders]
    .sort()
    .map((folder) => licenceOf(join(root, folder)))
    .join('\n\n');
};

/** @param {string} folder */
const licenceOf = (folder) => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = existsSync(folder) && readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : `Licence: ${license}`;
  return `${name} ${version}\n${'-'.repeat(`${name} ${version}`.length)}\n\n${text}\n`;
};

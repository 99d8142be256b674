// The bundles contain other packages, so their licences are published with them, in `dist/THIRD-PARTY-LICENCES.txt`.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param {import('esbuild').Metafile} metafile of a build of the package
 * @param {readonly string[]} packages the folders of the packages in the control room, which is built separately
 * @param {string} root the folder of its node_modules
 * @returns {string} the packages in the build with their versions, grouped by licence, each group followed by the text of its licence
 */
export const collectLicences = ({ inputs }, packages, root) => {
  const folders = new Set([
    ...packages,
    ...Object.keys(inputs).flatMap(
      (input) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? [],
    ),
  ]);
  folders.add('node_modules/@faker-js/faker'); // the module `virtual:shipped` has its words
  /** @type {Map<string, { names: string[], text: string }>} */
  const licences = new Map();
  for (const folder of [...folders].sort()) {
    const { name, text } = licenceOf(join(root, folder));
    const words = text.replaceAll(/\s+/g, ' '); // some are wrapped in another width
    const licence = licences.get(words);
    if (licence === undefined) licences.set(words, { names: [name], text });
    else licence.names.push(name);
  }
  return [...licences.values()]
    .map(({ names, text }) => `${names.join('\n')}\n----\n\n${text}\n`)
    .join('\n\n');
};

/** @param {string} folder */
const licenceOf = (folder) => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = existsSync(folder) && readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : `Licence: ${license}`;
  return { name: `${name} ${version}`, text };
};

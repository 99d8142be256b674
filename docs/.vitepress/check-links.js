// The links of the built site, each with its anchor. VitePress itself checks neither anchors nor pages that it renames.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param {string} site the folder of the built site
 * @throws Error with all dead links
 */
export const checkLinks = (site) => {
  const pages = new Map(
    readdirSync(site, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.html'))
      .map((file) => [file, readFileSync(join(site, file), 'utf8')]),
  );
  const isFile = (file) => existsSync(join(site, file)) && statSync(join(site, file)).isFile();
  const isDead = (page, href) => {
    const { pathname, hash } = new URL(href, `http://site/${page.replace(/(?:index)?\.html$/, '')}`);
    const path = decodeURIComponent(pathname.slice(1));
    const file = [path, `${path}.html`, join(path, 'index.html')].find(isFile);
    if (file === undefined) return true;
    return hash !== '' && !pages.get(file)?.includes(` id="${decodeURIComponent(hash.slice(1))}"`);
  };
  const dead = [...pages].flatMap(([page, html]) =>
    [...html.matchAll(/<a[^>]* href="([^"]*)"/g)]
      .map(([, href = '']) => href.replaceAll('&amp;', '&'))
      .filter((href) => !/^(?:https?:|mailto:)/.test(href) && isDead(page, href))
      .map((href) => `${page}: ${href}`),
  );
  if (dead.length > 0) throw new Error(`Dead links in the site:\n${[...new Set(dead)].join('\n')}`);
};

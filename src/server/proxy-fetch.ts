/** Of the library this function alone is bundled. It is loaded only with `--upstream`. */
export { proxyFetch } from 'httpxy';

export { default } from './.config/vitest.config.js';

// Every test file loads this first: .config/vitest.config.js.
import { configureProperties } from './settings.ts';

configureProperties();

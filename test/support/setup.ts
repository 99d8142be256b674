// Every test file loads this first.
import { configureProperties } from './settings.ts';

configureProperties();

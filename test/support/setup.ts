// Every test file loads this first.
import './hold-every-reply.ts';
import { configureProperties } from './settings.ts';

configureProperties();

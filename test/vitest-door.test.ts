import { describeFixture } from './fixture-suites.ts';
import { builtProject } from './suite-project.ts';

describeFixture(() => builtProject);

import { describeFixture } from '../support/fixture-suites.ts';
import { builtProject } from '../support/suite-project.ts';

describeFixture(() => builtProject);

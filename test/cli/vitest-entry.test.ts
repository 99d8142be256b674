import { describeFixture } from '../support/fixture-suites.ts';
import { builtProject } from '../support/suite-project.ts';

// In one process, which loads the build once. Each file in a process of its own: test/package/projects.test.ts.
describeFixture(() => builtProject, ['--no-isolate', '--no-file-parallelism']);

// A Dockerfile without Docker: its stages are folders, in which its steps run as on a machine of their own.
import { execFile } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** What an image runs, and how. */
interface Image {
  /** The folder that stands for its working directory. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly entrypoint: readonly string[];
  readonly healthCheck: readonly string[];
  readonly user: string;
}

/** An account without rights, to which a process of root changes for all steps. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Runs a command of an image, without rights, with no variables but the given ones. */
export const runStep = async (command: readonly string[], folder: string, env: Record<string, string>) => {
  const [file = '', ...args] = command;
  const home = join(dirname(folder), 'home');
  const whole = { PATH: process.env.PATH ?? '', HOME: home, npm_config_cache: join(home, 'npm'), ...env };
  return run(file, args, { cwd: folder, env: whole, ...nobody, maxBuffer: 50_000_000 });
};

/** The account and the folder of a process that goes on. */
export const stepOptions = (folder: string, env: Record<string, string>) => ({
  cwd: folder,
  env: { PATH: process.env.PATH ?? '', HOME: join(dirname(folder), 'home'), ...env },
  ...nobody,
});

const parse = (text: string): Instruction[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
      return { name, text: rest };
    });

/** What `COPY . .` copies: .dockerignore here leaves out everything, apart from the entries that it names. */
export const readContext = (root: string): string[] => {
  const [first, ...rest] = readFileSync(join(root, '.dockerignore'), 'utf8').trim().split('\n');
  const isSupported = first === '*' && rest.every((line) => /^![\w.-]+$/.test(line) || /^[^!]/.test(line));
  if (!isSupported) throw new Error('This reads only a .dockerignore of * and exceptions.');
  return rest.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
};

/** Runs all steps of a Dockerfile. @param folder an empty one, for the folders of its stages */
export const buildImage = async (root: string, folder: string): Promise<Image> => {
  const stages = new Map<string, string>();
  const context = readContext(root);
  let stage = '';
  let image: Image = { folder: '', env: {}, entrypoint: [], healthCheck: [], user: 'root' };
  const makeFolder = (path: string): void => {
    mkdirSync(path, { recursive: true });
    if (nobody.uid !== undefined) chownSync(path, nobody.uid, nobody.gid);
  };
  chmodSync(dirname(folder), 0o755); // a folder for tests is its owner's alone
  makeFolder(folder);
  makeFolder(join(folder, 'home'));
  for (const { name, text } of parse(readFileSync(join(root, 'Dockerfile'), 'utf8'))) {
    if (name === 'FROM') {
      stage = / AS (\w+)$/.exec(text)?.[1] ?? 'last';
      stages.set(stage, join(folder, stage));
      image = { folder: join(folder, stage), env: {}, entrypoint: [], healthCheck: [], user: 'root' };
      makeFolder(image.folder);
    } else if (name === 'COPY') copy(text);
    else if (name === 'RUN') await runStep(['sh', '-c', text], image.folder, image.env);
    else if (name === 'ENV') {
      const [key = '', value = ''] = text.split('=');
      image = { ...image, env: { ...image.env, [key]: value } };
    } else if (name === 'USER') image = { ...image, user: text };
    else if (name === 'ENTRYPOINT') image = { ...image, entrypoint: JSON.parse(text) };
    else if (name === 'HEALTHCHECK')
      image = { ...image, healthCheck: JSON.parse(text.replace(/^.*?CMD /, '')) };
    else if (name !== 'EXPOSE' && name !== 'WORKDIR')
      throw new Error(`This cannot run the step ${name} ${text}.`);
  }
  return image;

  function copy(text: string): void {
    const [, from, rest = ''] = /^(?:--from=(\w+) )?(.*)$/.exec(text) ?? [];
    const all = rest.split(' ');
    const target = all.at(-1) ?? '.';
    for (const source of all.slice(0, -1)) {
      const paths =
        from === undefined
          ? (source === '.' ? context : context.filter((one) => one === source)).map((one) => join(root, one))
          : [join(stages.get(from) ?? '', source.replace(/^\/\w+\//, ''))];
      if (paths.length === 0) throw new Error(`COPY ${source}: .dockerignore leaves it out.`);
      for (const path of paths) {
        const isNamed = source !== '.' && !/^\.\/?$/.test(target);
        const to = isNamed ? join(image.folder, target) : join(image.folder, path.split('/').at(-1) ?? '');
        cpSync(path, to, { recursive: true });
        if (nobody.uid === undefined) continue;
        chownSync(to, nobody.uid, nobody.gid);
        if (!statSync(to).isDirectory()) continue;
        for (const inner of readdirSync(to, { recursive: true, encoding: 'utf8' }))
          chownSync(join(to, inner), nobody.uid, nobody.gid);
      }
    }
  }
};

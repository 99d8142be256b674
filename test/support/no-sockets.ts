// Every file of `unit` and `worlds` loads this first: a test that opens a socket or starts a process fails, and says so.
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

const refuse = (what: string) => () => {
  throw new Error(
    `A test of the project unit or worlds may not ${what}. Call the gateway in process, or move the test to test/transports or test/cli.`,
  );
};

net.Server.prototype.listen = refuse('listen on a socket');
net.Socket.prototype.connect = refuse('connect to a socket');
for (const name of ['spawn', 'exec', 'execFile', 'fork', 'spawnSync', 'execSync', 'execFileSync'])
  Object.assign(childProcess, { [name]: refuse('start a process') });
syncBuiltinESMExports();

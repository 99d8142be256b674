import { expect, test } from 'vitest';
import { connect } from '../../src/admin/remote.ts';
import { startServer } from '../../src/server.ts';

test('both controls have the same methods', async () => {
  const server = await startServer();
  const remote = connect(server.url);
  for (const [name, part] of Object.entries(remote)) {
    const local: unknown = Reflect.get(server, name);
    expect([name, Object.keys(Object(local)).sort()]).toEqual([name, Object.keys(Object(part)).sort()]);
  }
  await server.close();
  await expect(remote.reset()).rejects.toThrow(/Failed to reach .*ECONNREFUSED.*Is the server running\?/);
});

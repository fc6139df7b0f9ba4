import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { checkPort } from './listening.ts';

test('says before anything is opened that the port is taken, and leaves a free one free', async () => {
  const HOST = '127.0.0.1';
  const server = createServer().listen(0, HOST);
  await once(server, 'listening');
  const { port: PORT } = server.address() as AddressInfo;
  await expect(checkPort({ PORT, HOST })).rejects.toThrow(/^PORT: .*EADDRINUSE/);
  server.close();
  await once(server, 'close');
  await checkPort({ PORT, HOST });
  await checkPort({ PORT, HOST });
  await checkPort({ PORT: 0, HOST });
});

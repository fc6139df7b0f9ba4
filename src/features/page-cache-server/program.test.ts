import { once } from 'node:events';
import { expect, test } from 'vitest';
import { expectEndlessBodiesEnded, shortTimes } from '../../server/http/testing/slow-clients.ts';
import { createPageCacheProgram } from './program.ts';

test('ends requests whose body never ends', async () => {
  const server = createPageCacheProgram({ maxBytes: 1e6, times: shortTimes });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await expectEndlessBodiesEnded(server, '/set?key=k');
    expect(server.listening).toBe(true);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

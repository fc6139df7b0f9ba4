// Whether the program in this container lives, for HEALTHCHECK: `node healthy.mjs [PORT]`.
import { get } from 'node:http';

const port = process.argv[2] ?? (process.env.PORT || '3000');
get({ host: '127.0.0.1', port, path: '/healthz', timeout: 4000, agent: false }, (response) => {
  response.resume();
  process.exitCode = response.statusCode === 200 ? 0 : 1;
})
  .on('timeout', () => process.exit(1))
  .on('error', () => process.exit(1));

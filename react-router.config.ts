import type { Config } from '@react-router/dev/config';

export default {
  appDirectory: 'src/app',
  buildDirectory: 'build',
  ssr: true,
  // The route table is a few lines: shipping it whole saves a request and an address that would need caching rules.
  routeDiscovery: { mode: 'initial' },
  splitRouteModules: false,
} satisfies Config;

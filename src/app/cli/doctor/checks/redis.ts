import type { Check } from '../../../../server/commands/checks.ts';

export const redis: Check = {
  name: 'redis',
  todo: 'correct REDIS_URL; until then each instance goes on alone',
  async run({ environment: { REDIS_URL, REDIS_PREFIX, SECRET_KEY } }) {
    if (REDIS_URL === undefined) return [];
    const { openRedis } = await import('../../../../stores/scale-out/redis/connection.ts');
    let reason = '';
    const connection = await openRedis({
      url: REDIS_URL,
      prefix: REDIS_PREFIX,
      onAway: (why) => {
        reason = why;
      },
      onReturn: () => undefined,
    });
    try {
      if (connection.isAway)
        return [
          {
            level: 'error',
            what: `no answer: ${reason}`,
            todo: 'start it, or correct REDIS_URL; until then each instance goes on alone',
          },
        ];
      const info = await connection.call((client) => client.info());
      const field = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
      const version = field('valkey_version') ?? field('redis_version') ?? 'of unknown version';
      const policy = field('maxmemory_policy');
      const what = `Redis ${version} answers`;
      if (policy !== undefined && policy !== 'noeviction')
        return [
          {
            level: 'warning',
            what: `${what}, and forgets when it is full (maxmemory-policy ${policy})`,
            todo: 'set maxmemory-policy noeviction',
          },
        ];
      if (SECRET_KEY === undefined)
        return [
          {
            level: 'warning',
            what: `${what}, but instances have keys of their own`,
            todo: 'set the same SECRET_KEY on all instances',
          },
        ];
      return [{ level: 'ok', what }];
    } finally {
      await connection.close();
    }
  },
};

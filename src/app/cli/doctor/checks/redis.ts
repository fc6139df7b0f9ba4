import { type Check, error, ok, warning } from '../../../../server/commands/checks.ts';

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
      onError: () => undefined,
    });
    try {
      if (connection.isAway)
        return [
          error(
            `no answer: ${reason}`,
            'start it, or correct REDIS_URL; until then each instance goes on alone',
          ),
        ];
      const info = await connection.call((client) => client.info());
      const field = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
      const version = field('valkey_version') ?? field('redis_version') ?? 'of unknown version';
      const policy = field('maxmemory_policy') ?? 'noeviction';
      const what = `Redis ${version} answers`;
      if (policy !== 'noeviction') {
        const forgets = `${what}, and forgets when it is full (maxmemory-policy ${policy})`;
        return [warning(forgets, 'set maxmemory-policy noeviction')];
      }
      const own = `${what}, but instances have keys of their own`;
      if (SECRET_KEY === undefined) return [warning(own, 'set the same SECRET_KEY on all instances')];
      return [ok(what)];
    } finally {
      await connection.close();
    }
  },
};

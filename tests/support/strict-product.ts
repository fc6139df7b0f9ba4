import { engines } from '../../src/stores/contracts/testing/services/databases.ts';
import { importOneArticle } from './articles.ts';
import { operatorPassword } from './desk.ts';
import { type RunningProduct, startProduct } from './product.ts';
import { siteFile } from './site-file.ts';

/**
 * Starts the product with an article, the desk and statistics, where requests are refused most strictly: on PostgreSQL,
 * if a server responds, which refuses texts that SQLite accepts.
 */
export async function startStrictProduct(): Promise<RunningProduct> {
  const [engine] = engines.slice(-1);
  if (engine === undefined) throw new Error('There is no database');
  const place = await engine.makePlace();
  await importOneArticle(place.environment);
  const { DATA_DIR, ...env } = place.environment;
  const product = await startProduct({
    env: {
      ...{ SITE_CONFIG: siteFile({ statistics: true }), TRUST_PROXY: '127.0.0.1' },
      ...{ OPERATOR_PASSWORD: operatorPassword, ...env },
    },
    ...(DATA_DIR !== undefined && { dataFolder: DATA_DIR }),
  });
  return {
    ...product,
    async stop() {
      const code = await product.stop();
      await place.remove();
      return code;
    },
  };
}

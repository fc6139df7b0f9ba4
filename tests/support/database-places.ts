import { type Engine, engines } from '../../src/stores/contracts/testing/services/databases.ts';
import { sample } from './audit/scope.ts';
import { copyFirstDatabase } from './product.ts';

/** The engine with SQLite's places as a first start leaves them: otherwise each journey would wait for that. */
const filled = (engine: Engine): Engine => ({
  name: engine.name,
  async makePlace() {
    const place = await engine.makePlace();
    const { DATA_DIR: folder } = place.environment;
    if (folder !== undefined) copyFirstDatabase(folder);
    return place;
  },
});

/**
 * The databases of journeys: SQLite, and every engine in the audit. The stores are tested on all engines in each run.
 */
export const journeyEngines: readonly Engine[] = sample(engines, ({ name }) => name === 'sqlite').map(filled);

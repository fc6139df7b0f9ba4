import { rmSync } from 'node:fs';
import { type Journey, startJourney } from './journey.ts';
import { endWithWorker } from './processes.ts';

let shared: Promise<Journey> | undefined;

async function start(): Promise<Journey> {
  const journey = await startJourney({ endLater: endWithWorker });
  const { dataFolder } = journey.product;
  process.once('exit', () => rmSync(dataFolder, { recursive: true, force: true }));
  return journey;
}

/**
 * The product with default settings, and the platform's double: one for all files of a worker, which run one after the
 * other. For files that do not count the product's own requests, logs or metrics, and leave nothing that the next file
 * would notice. Its `stop` does nothing.
 */
export async function sharedJourney(): Promise<Journey> {
  shared ??= start();
  const journey = await shared;
  await journey.platform.reset();
  const stop = async () => {};
  return { ...journey, stop, product: { ...journey.product, stop: async () => 0 } };
}

import type { Logger } from 'pino';
import { misspelt } from '../../process/environment.ts';

/** Warns of variables that nothing reads, because their names are nearly those of settings. */
export function warnOfMisspelt(logger: Logger): void {
  for (const { name, meant } of misspelt(process.env))
    logger.warn({ variable: name, meant }, 'nothing reads this variable: a setting has nearly its name');
}

import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Declaration } from '../../server/commands/declaration.ts';
import { backup, restore } from './backup/command-line.ts';
import { canary } from './canary/command-line.ts';
import { authors, categories, posts } from './content/command-line.ts';
import { doctor } from './doctor/command-line.ts';

const features = new URL('../../features/', import.meta.url);

/** Commands of features, found by the name of their file. */
const ofFeatures = await Promise.all(
  globSync('*/command-line.ts', { cwd: fileURLToPath(features) })
    .sort()
    .map(async (file) => {
      const module = (await import(new URL(file, features).href)) as { default: Declaration };
      return module.default;
    }),
);

/** Every command, in the order of help. The code of each is imported when it is called. */
export const commands: readonly Declaration[] = [
  ...[doctor, canary, backup, restore, posts, categories, authors],
  ...ofFeatures.toSorted((one, other) => one.name.localeCompare(other.name, 'en')),
];

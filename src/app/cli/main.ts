/** The operator's commands: `npm run cli -- NAME …`. */

import { keys } from '../../features/api-keys/commands.ts';
import { experiments } from '../../features/experiments/commands.ts';
import { messages } from '../../features/messages/commands.ts';
import { site } from '../../features/promotion/commands/site.ts';
import { push } from '../../features/push/commands.ts';
import { statistics } from '../../features/statistics/commands.ts';
import { takedown } from '../../features/takedowns/commands.ts';
import { type Command, printError, printText, UsageError } from '../../web/commands/command.ts';
import { canary } from './canary.ts';
import { authors, categories, posts } from './content.ts';

const commands: Readonly<Record<string, Command>> = {
  canary,
  posts,
  categories,
  authors,
  messages,
  takedown,
  keys,
  push,
  statistics,
  experiments,
  site,
};

function help(): void {
  printText('Commands:');
  for (const { usage, about } of Object.values(commands)) printText(`  ${usage.padEnd(64)} ${about}`);
}

const [name, ...words] = process.argv.slice(2);
const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
if (command === undefined) {
  if (name !== undefined) printError(`There is no command "${name}".`);
  help();
  process.exitCode = name === undefined ? 0 : 2;
} else {
  process.exitCode = await command.run(words).catch((error: unknown) => {
    printError(error instanceof Error ? error.message : String(error));
    if (!(error instanceof UsageError)) return 1;
    printError(`usage: ${command.usage}`);
    return 2;
  });
}

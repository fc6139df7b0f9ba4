/** The operator's commands: `npm run cli -- NAME …`. */

import {
  type Command,
  type CommandTools,
  printError,
  printText,
  UsageError,
} from '../../web/commands/command.ts';
import { features } from '../features.ts';
import { readConfigurationFile } from '../parts/read-site-configuration.ts';

const content = () => import('./content.ts');

/** By name; each is loaded when it is called. */
const commands: Readonly<Record<string, () => Promise<Command>>> = Object.assign(
  {
    canary: async () => (await import('./canary.ts')).canary,
    posts: async () => (await content()).posts,
    categories: async () => (await content()).categories,
    authors: async () => (await content()).authors,
  },
  ...features.map((feature) => feature.commands),
);

const tools: CommandTools = {
  readConfiguration: readConfigurationFile,
  async openPlatform(environment) {
    const { assemblePlatform } = await import('../parts/downloader/platform.ts');
    return assemblePlatform(environment, { searchPath: process.env.PATH ?? '' });
  },
};

async function help(): Promise<void> {
  printText('Commands:');
  for (const load of Object.values(commands)) {
    const { usage, about } = await load();
    printText(`  ${usage.padEnd(64)} ${about}`);
  }
}

const [name, ...words] = process.argv.slice(2);
const command = name !== undefined && Object.hasOwn(commands, name) ? await commands[name]?.() : undefined;
if (command === undefined) {
  if (name !== undefined) printError(`There is no command "${name}".`);
  await help();
  process.exitCode = name === undefined ? 0 : 2;
} else {
  process.exitCode = await command.run(words, tools).catch((error: unknown) => {
    printError(error instanceof Error ? error.message : String(error));
    if (!(error instanceof UsageError)) return 1;
    printError(`usage: ${command.usage}`);
    return 2;
  });
}

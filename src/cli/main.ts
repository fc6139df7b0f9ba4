/** The operator's commands: `npm run cli -- NAME …`. */
import { canary } from './canary.ts';

interface Command {
  readonly usage: string;
  readonly about: string;
  /** @returns the exit code */
  run(words: readonly string[]): Promise<number>;
}

const commands: Readonly<Record<string, Command>> = { canary };

function help(): void {
  console.log('Commands:');
  for (const { usage, about } of Object.values(commands)) console.log(`  ${usage.padEnd(16)} ${about}`);
}

const [name, ...words] = process.argv.slice(2);
const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
if (command === undefined) {
  if (name !== undefined) console.error(`There is no command "${name}".`);
  help();
  process.exitCode = name === undefined ? 0 : 2;
} else {
  process.exitCode = await command.run(words).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  });
}

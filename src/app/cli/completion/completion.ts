import { type CommandTools, UsageError } from '../../../web/commands/declaration.ts';
import { printJson } from '../../../web/commands/print.ts';
import { placesOf } from './places.ts';
import { bashScript, fishScript, zshScript } from './shells.ts';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

interface Call {
  readonly shell: keyof typeof scripts;
  readonly program: string;
  readonly json: boolean;
}

/** Prints a script that makes a shell complete commands. It has to be printed again after an update. */
export async function printCompletion({ shell, program, json }: Call, { commands }: CommandTools) {
  if (!/^[\w.-]+$/.test(program)) throw new UsageError(`"${program}" is no name of a command`);
  const script = scripts[shell](program, placesOf(commands));
  if (json) printJson({ shell, program, script });
  else process.stdout.write(script);
  return 0;
}

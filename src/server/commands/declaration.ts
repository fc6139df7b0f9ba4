import { resolve } from 'node:path';
import type { Extractor } from '../../downloader/extractors/extractor.ts';
import type { PlatformNetwork } from '../../downloader/network/contracts.ts';
import type { Environment } from '../../process/environment.ts';
import type { SiteConfiguration } from '../../site/configuration/configuration.ts';

/** A command that was called wrongly; its message says how. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The text of an argument or option, and how it is read. */
interface ValueDeclaration {
  readonly about: string;
  /** All that it may be. */
  readonly choices?: readonly string[];
  /** Checks and converts it. @throws UsageError which says what it must be */
  readonly read?: (text: string) => unknown;
}

/** A word that follows a command. */
export interface ArgumentDeclaration extends ValueDeclaration {
  readonly optional?: true;
  /** One word or more; only the last argument. */
  readonly several?: true;
}

/** An option: a flag, or one with a value. Its name is written `dryRun` here and `--dry-run` on the command line. */
export interface OptionDeclaration extends ValueDeclaration {
  /** How help names its value: `N`. Left out for a flag. */
  readonly value?: string;
  /** Its spelling. */
  readonly default?: string;
}

type Read<D> = D extends { readonly read: (text: string) => infer V }
  ? V
  : D extends { readonly choices: readonly (infer C)[] }
    ? C
    : string;

type ArgumentValue<A> = A extends { readonly several: true }
  ? readonly Read<A>[]
  : A extends { readonly optional: true }
    ? Read<A> | undefined
    : Read<A>;

type OptionValue<O> = O extends { readonly value: string }
  ? O extends { readonly default: string }
    ? Read<O>
    : Read<O> | undefined
  : boolean;

/** Tools that the program gives to its commands. */
export interface CommandTools {
  /** Reads and checks a site configuration file. @throws Error which names the file */
  readConfiguration(file: string): Promise<SiteConfiguration>;
  /** Opens what reads posts; its network has to be closed. */
  openPlatform(environment: Environment): Promise<{
    readonly network: Pick<PlatformNetwork, 'close'>;
    readonly extractors: readonly Extractor[];
  }>;
}

/** A call's arguments and options. Every command takes `--json`. */
type Given<A, O> = { readonly [N in keyof A]: ArgumentValue<A[N]> } & {
  readonly [N in keyof O]: OptionValue<O[N]>;
} & { readonly json: boolean };

/** Runs the command. @returns the exit code: 0 done, 1 failed, 2 called wrongly */
type Run<G> = (given: G, tools: CommandTools) => Promise<number>;

/** A command: its help and its arguments, without the code that runs it. */
export interface CommandDeclaration {
  readonly name: string;
  /** One line, for lists of commands. */
  readonly about: string;
  /** More text for help, below it. */
  readonly details?: string;
  /** By name, in their order. */
  readonly arguments: Readonly<Record<string, ArgumentDeclaration>>;
  readonly options: Readonly<Record<string, OptionDeclaration>>;
  /** Imports the code that runs it. */
  readonly load: () => Promise<Run<never>>;
}

/** Commands below one name: `keys create`, `keys list`. */
export interface CommandGroup {
  readonly name: string;
  readonly about: string;
  readonly commands: readonly CommandDeclaration[];
  /** The command that runs when none is named. */
  readonly usual?: string;
}

/** A command or a group. */
export type Declaration = CommandDeclaration | CommandGroup;

/** Whether a declaration is a group of commands. */
export const isGroup = (declaration: Declaration): declaration is CommandGroup => 'commands' in declaration;

type None = Readonly<Record<never, never>>;

/** Declares a command. The compiler checks the function of `load` against the arguments and options. */
export function command<
  const A extends Readonly<Record<string, ArgumentDeclaration>> = None,
  const O extends Readonly<Record<string, OptionDeclaration>> = None,
>(declaration: {
  readonly name: string;
  readonly about: string;
  readonly details?: string;
  readonly arguments?: A;
  readonly options?: O;
  readonly load: () => Promise<Run<Given<A, O>>>;
}): CommandDeclaration {
  const { load, ...rest } = declaration;
  return { arguments: {}, options: {}, ...rest, load: load as CommandDeclaration['load'] };
}

/** An option as it is written: `dryRun` is `--dry-run`. */
export const spelled = (name: string): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

const mostDigits = 9;

/** Reads a whole number of at most nine digits. */
export const wholeNumber =
  (least: number, most = 10 ** mostDigits - 1) =>
  (text: string): number => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new UsageError(
      most < 10 ** mostDigits - 1
        ? `"${text}" is no whole number from ${least} to ${most}`
        : `"${text}" is no whole number from ${least} on`,
    );
  };

/** Reads a text that has this form. @param must what the error says: "must be …" */
export const textLike =
  (form: RegExp, must: string) =>
  (text: string): string => {
    if (form.test(text)) return text;
    throw new UsageError(`"${text}" ${must}`);
  };

/**
 * A path as the caller meant it. The program runs in the product's folder; a launcher says where its caller stood
 * (`CLIPFERRY_CWD`). Without one the two are the same.
 */
export function fromCaller(path: string): string {
  const { CLIPFERRY_CWD: place } = process.env;
  return place === undefined ? path : resolve(place, path);
}

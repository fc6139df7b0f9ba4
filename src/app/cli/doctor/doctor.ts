import { styleText } from 'node:util';
import packageFile from '../../../../package.json' with { type: 'json' };
import { coreVariables, type Environment } from '../../../process/environment.ts';
import { EnvironmentError } from '../../../process/variables.ts';
import { type Check, type Level, ok } from '../../../server/commands/checks.ts';
import { printJson, terminalText } from '../../../server/commands/print.ts';
import { siteFindings } from '../../../server/commands/site-findings.ts';
import { openOwnSite } from '../../../server/own-site/own-site.ts';
import type { SiteConfiguration } from '../../../site/configuration/configuration.ts';
import { features } from '../../features.ts';
import { readSiteConfiguration } from '../../parts/read-site-configuration.ts';
import { misspelt, readSettings } from '../../parts/settings.ts';
import { dns, front, ports } from './checks/addresses.ts';
import { clock, disk, ffmpeg, permissions, versions } from './checks/machine.ts';
import { platform } from './checks/platform.ts';
import { database, redis, s3 } from './checks/stores.ts';
import { type NamedFinding, runChecks } from './run-checks.ts';

const site: Check = {
  name: 'site',
  todo: 'correct the site configuration (docs/site-configuration.md)',
  async run({ environment, configuration, origin }) {
    const { leftOut, gaps } = await openOwnSite(environment.SITE_DIR, configuration.locales);
    const found = [...siteFindings(configuration, origin), ...leftOut, ...gaps];
    if (found.length > 0) return found;
    return [ok(`${configuration.brand} by ${configuration.operator} at ${origin}`)];
  },
};

/** The checks for every site; features add their own (`Feature.checks`). */
const coreChecks: readonly Check[] = [
  ...[site, ports, permissions, disk, database, redis, s3, clock, dns, platform, ffmpeg, front],
];

interface Setting {
  readonly environment: Environment;
  readonly configuration: SiteConfiguration;
}

interface Call {
  readonly strict: boolean;
  readonly tell: boolean;
  readonly post: string;
  readonly json: boolean;
}

const name = 'configuration';

/** A finding for each line of a setting's error. */
function wrongSettings(error: unknown): NamedFinding[] {
  if (!(error instanceof EnvironmentError)) throw error;
  let of = '';
  return error.message.split('\n').flatMap((line) => {
    // A file's mistakes follow a line with the variable.
    const [, variable = of, what = line.trim()] = /^([A-Za-z]\w*): (.+)$/.exec(line) ?? [];
    of = variable;
    if (what.endsWith(':')) return [];
    const todo = 'correct it (docs/configuration.md, docs/site-configuration.md): the site does not start';
    return { name, of, level: 'error', what, todo };
  });
}

/** Reads what everything else follows from. @returns all that is wrong with it, where anything is */
function readSetting(): Setting | NamedFinding[] {
  const wrong: NamedFinding[] = [];
  const read = <T>(from: () => T): T | undefined => {
    try {
      return from();
    } catch (error) {
      wrong.push(...wrongSettings(error));
      return undefined;
    }
  };
  const environment = read(readSettings);
  const isNamed = wrong.some(({ of }) => of === 'SITE_CONFIG');
  const configuration = isNamed ? undefined : read(() => readSiteConfiguration(environment ?? fileAlone()));
  return environment === undefined || configuration === undefined ? wrong : { environment, configuration };
}

/** The site configuration's file where other variables are wrong. */
const fileAlone = () => ({
  SITE_CONFIG: coreVariables.shape.SITE_CONFIG.parse(process.env.SITE_CONFIG || undefined),
});

async function findAll({ post, tell }: Call): Promise<NamedFinding[]> {
  const setting = readSetting();
  if (!('environment' in setting)) return setting;
  const { environment, configuration } = setting;
  const origin = environment.SITE_ORIGIN ?? `https://${configuration.domain}`;
  const ofFeatures = await Promise.all(features.map(async ({ checks }) => (await checks?.())?.default ?? []));
  const checks = [versions, ...coreChecks, ...ofFeatures.flat()];
  const context = { environment, configuration, origin, post, mayTell: tell };
  const found = await runChecks(checks, context);
  return [
    { name, level: 'ok', what: `the environment and ${environment.SITE_CONFIG} are right` },
    ...misspelt(process.env).map(({ name: of, meant }) => ({
      ...({ name, of, level: 'warning' } as const),
      what: 'nothing reads this variable',
      todo: `name it ${meant}`,
    })),
    ...found,
  ];
}

const colours = { ok: 'green', warning: 'yellow', error: 'red' } as const satisfies Record<Level, string>;

function print(found: readonly NamedFinding[]): void {
  const named = found.map(({ name, of, ...rest }) => ({
    ...rest,
    title: terminalText(of === undefined ? name : `${name} ${of}`),
  }));
  const width = Math.max(...named.map(({ title }) => title.length));
  for (const { level, title, what, todo } of named) {
    const line = `${title.padEnd(width)}  ${terminalText(what)}${todo === undefined ? '' : ` -> ${terminalText(todo)}`}`;
    console.log(
      `${styleText(colours[level], level.padEnd(7), { stream: process.stdout })}  ${line.replaceAll('\n', ' ')}`,
    );
  }
}

/** Checks everything that the site needs. @returns 1 when something is wrong */
export async function runDoctor(call: Call): Promise<number> {
  const { strict, json } = call;
  const found = await findAll(call);
  const errors = found.filter(({ level }) => level === 'error').length;
  const warnings = found.filter(({ level }) => level === 'warning').length;
  const passed = errors === 0 && (!strict || warnings === 0);
  if (json) printJson({ ok: passed, version: packageFile.version, errors, warnings, checks: found });
  else {
    print(found);
    console.log(`${errors} error(s), ${warnings} warning(s).`);
  }
  return passed ? 0 : 1;
}

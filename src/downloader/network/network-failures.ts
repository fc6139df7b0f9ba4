import { Failure, type FailureKey } from '../../failures/failures.ts';
import type { NetworkEvent } from './contracts.ts';
import { AddressRefused } from './targets.ts';

const timeouts = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
]);

/** Whether an error of the connection means that the other side was too slow. */
export function isTimeout(error: unknown): boolean {
  if (error instanceof Failure) return error.key === 'platform_timeout';
  return error instanceof Error && 'code' in error && timeouts.has(String(error.code));
}

/** An error of the connection as a failure; `otherwise` is the key of what is no timeout. */
export function connectionFailure(error: unknown, otherwise: FailureKey): Failure {
  if (error instanceof Failure) return error;
  return new Failure(isTimeout(error) ? 'platform_timeout' : otherwise, { cause: error });
}

/** The metric's outcome of a request that ended with this error. */
export function outcomeOf(error: unknown, signal: AbortSignal): NetworkEvent['outcome'] {
  if (signal.aborted) return 'aborted';
  return isTimeout(error) ? 'timeout' : 'failed';
}

/** The host for which a request was never sent; undefined for any other error. */
export const refusedHostOf = (error: unknown): string | undefined =>
  error instanceof AddressRefused ? error.host : undefined;

/**
 * No address of a source delivered the file. The cause of a `media_unavailable` failure; tells whether reading the post
 * again may help.
 */
export class MirrorsExhausted extends AggregateError {
  override readonly name = 'MirrorsExhausted';
  /**
   * True when a server refused (the addresses have expired or are bound to another session), or when the egress to
   * which they are bound no longer exists.
   */
  readonly refused: boolean;

  constructor(errors: readonly unknown[], refused: boolean) {
    super(errors, 'no address of the source gave the file');
    this.refused = refused;
  }
}

/**
 * A tunnel through a proxy failed. Its message and all its properties are safe to log: the libraries' errors may
 * contain the proxy's password and are dropped.
 */
export class ProxyFailed extends Error {
  override readonly name = 'ProxyFailed';
  readonly code: 'ERR_PROXY_FAILED' | 'ETIMEDOUT';
  /** The proxy itself is unreachable or rejects us. When false, perhaps only the target is unreachable through it. */
  readonly isProxyAtFault: boolean;

  constructor(label: string, reason: string, isProxyAtFault: boolean, code: ProxyFailed['code']) {
    super(`${label}: ${reason}`);
    this.isProxyAtFault = isProxyAtFault;
    this.code = code;
  }
}

/** The result was read through an egress that no longer exists and must be read again. */
export class UnknownEgress extends Error {
  override readonly name = 'UnknownEgress';

  constructor(egress: string | undefined) {
    super(egress === undefined ? 'no egress is named' : `there is no egress ${egress}`);
  }
}

/** Whether the egress of an address is gone, so that only reading the post again helps. */
export function isEgressGone(error: unknown): boolean {
  return error instanceof UnknownEgress || (error instanceof ProxyFailed && error.isProxyAtFault);
}

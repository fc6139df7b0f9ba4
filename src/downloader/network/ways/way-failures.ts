/**
 * There is no tunnel through a proxy. Its message and everything in it are safe to log: what libraries throw may hold
 * the proxy's password, and is left behind.
 */
export class ProxyFailed extends Error {
  override readonly name = 'ProxyFailed';
  readonly code: 'ERR_PROXY_FAILED' | 'ETIMEDOUT';
  /** The proxy itself is unreachable or does not want us. When false it may only be that it cannot reach the target. */
  readonly isProxyAtFault: boolean;

  constructor(label: string, reason: string, isProxyAtFault: boolean, code: ProxyFailed['code']) {
    super(`${label}: ${reason}`);
    this.isProxyAtFault = isProxyAtFault;
    this.code = code;
  }
}

/** What was read by a way that is not there any more can only be had by reading it again. */
export class UnknownWay extends Error {
  override readonly name = 'UnknownWay';

  constructor(way: string | undefined) {
    super(way === undefined ? 'no way out is named' : `there is no way out ${way}`);
  }
}

/** Whether the way that an address is bound to leads nowhere now, so that only another reading helps. */
export function isWayGone(error: unknown): boolean {
  return error instanceof UnknownWay || (error instanceof ProxyFailed && error.isProxyAtFault);
}

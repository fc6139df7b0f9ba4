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
  override readonly name = 'UnknownWay';

  constructor(egress: string | undefined) {
    super(egress === undefined ? 'no egress is named' : `there is no egress ${egress}`);
  }
}

/** Whether the egress of an address is gone, so that only reading the post again helps. */
export function isEgressGone(error: unknown): boolean {
  return error instanceof UnknownEgress || (error instanceof ProxyFailed && error.isProxyAtFault);
}

/** Additions to the pages' policy for configured parts that need them. */
export interface PolicyAdditions {
  /** Names of the policies that may make scripts' addresses. */
  readonly trustedTypes?: readonly string[];
  /** Origins besides this one that scripts may send to. */
  readonly connect?: readonly string[];
  /** Hashes of inline styles. */
  readonly styles?: readonly string[];
}

/** All additions together, each once. */
export const joinPolicies = (...all: readonly (PolicyAdditions | undefined)[]) => ({
  trustedTypes: [...new Set(all.flatMap((one) => one?.trustedTypes ?? []))],
  connect: [...new Set(all.flatMap((one) => one?.connect ?? []))],
  styles: all.flatMap((one) => one?.styles ?? []),
});

/** Directives of every page but those that depend on the site. */
const common = [
  "default-src 'none'",
  "base-uri 'none'",
  "font-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "img-src 'self' data:",
] as const;

const styleSource = "style-src 'self'";

/** The policy of a page without scripts. */
export const scriptlessPolicy = [...common, styleSource].join('; ');

const directives = [
  ...common,
  "manifest-src 'self'",
  "media-src 'self'",
  "worker-src 'self'",
  "require-trusted-types-for 'script'",
] as const;

/** Browsers keep asking over TLS for a year (RFC 6797). */
const strictTransport = 'max-age=31536000';

/** For responses that are not pages: nothing in them may ever run. */
export const inertPolicy = "default-src 'none'; frame-ancestors 'none'";

const everywhere: Readonly<Record<string, string>> = {
  'content-security-policy': inertPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy':
    'accelerometer=(), autoplay=(self), browsing-topics=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=(), xr-spatial-tracking=()',
};

const behindTls = { ...everywhere, 'strict-transport-security': strictTransport };

/**
 * The headers of every response. Pages and workers' scripts replace the policy by their own. HSTS is sent only over
 * TLS: a site reached under another name must stay reachable.
 */
export const commonHeaders = (isSecure: boolean) => (isSecure ? behindTls : everywhere);

/**
 * The policy of one rendered page. Pages are cached, so its inline scripts are allowed by hash and not by nonce (CSP
 * Level 3, section 2.3.1).
 * @param scriptHashes sources of the scripts that the renderer wrote, by its own statement: any other script in the
 *   page's text was injected
 */
export function contentSecurityPolicy(
  scriptHashes = '',
  { trustedTypes = [], connect = [], styles = [] }: PolicyAdditions = {},
): string {
  return [
    ...directives,
    [styleSource, ...styles].join(' '),
    `connect-src ${["'self'", ...connect].join(' ')}`,
    `trusted-types ${trustedTypes.length === 0 ? "'none'" : trustedTypes.join(' ')}`,
    `script-src 'self' ${scriptHashes}`.trim(),
  ].join('; ');
}

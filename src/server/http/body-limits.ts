/** The longest body that is taken without an own limit, in bytes. Proxies in front take the same (`deploy/`). */
export const usualBodyBytes = 512 * 1024;

/** Addresses that take longer ones, in bytes: a form with its file. Proxies let them through here only. */
export const longBodyBytes: Readonly<Record<string, number>> = { '/operator/articles': 51 * 2 ** 20 };

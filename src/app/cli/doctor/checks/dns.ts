import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Check, Finding } from '../../../../server/commands/checks.ts';

async function resolve(host: string, todo: string): Promise<Finding> {
  try {
    const found = await lookup(host, { all: true });
    const addresses = found.map(({ address }) => address);
    return { of: host, level: 'ok', what: addresses.join(', ') };
  } catch (error) {
    return { of: host, level: 'error', what: (error as Error).message, todo };
  }
}

export const dns: Check = {
  name: 'dns',
  async run({ environment: { HTTPS_PROXY, OUTBOUND_PROXIES }, origin }) {
    const { hostname } = new URL(origin);
    const isName = isIP(hostname.replace(/^\[|\]$/g, '')) === 0;
    // Proxies look up the platform's names themselves.
    const asksItself = HTTPS_PROXY === undefined && OUTBOUND_PROXIES === undefined;
    return Promise.all([
      ...(isName ? [resolve(hostname, 'add A and AAAA records, or correct SITE_ORIGIN and "domain"')] : []),
      ...(asksItself
        ? [resolve('www.tiktok.com', "look at this machine's resolver (/etc/resolv.conf)")]
        : []),
    ]);
  },
};

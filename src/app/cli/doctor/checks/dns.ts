import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { type Check, error, type Finding, ok } from '../../../../server/commands/checks.ts';

const own = "look at this machine's resolver (/etc/resolv.conf)";

async function resolve(host: string, todo: string): Promise<Finding> {
  try {
    const found = await lookup(host, { all: true });
    return ok(found.map(({ address }) => address).join(', '), undefined, host);
  } catch (thrown) {
    return error((thrown as Error).message, todo, host);
  }
}

export const dns: Check = {
  name: 'dns',
  todo: own,
  async run({ environment: { HTTPS_PROXY, OUTBOUND_PROXIES }, origin }) {
    const { hostname } = new URL(origin);
    const isName = isIP(hostname.replace(/^\[|\]$/g, '')) === 0;
    // Proxies look up the platform's names themselves.
    const asksItself = HTTPS_PROXY === undefined && OUTBOUND_PROXIES === undefined;
    return Promise.all([
      ...(isName ? [resolve(hostname, 'add A and AAAA records, or correct SITE_ORIGIN and "domain"')] : []),
      ...(asksItself ? [resolve('www.tiktok.com', own)] : []),
    ]);
  },
};

import { type Identity, IdentityError, makeIdentity } from './identity.ts';

const chrome = (version: number, system: string, mobile = '') =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 ${mobile}Safari/537.36`;

/** The usual browsers, best first. The gate rejects single versions for weeks, so there are several. */
const browsers = {
  chrome: chrome(151, 'Windows NT 10.0; Win64; x64'),
  firefox: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  'older-chrome': chrome(138, 'Windows NT 10.0; Win64; x64'),
} as const;

const phones = {
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  android: chrome(151, 'Linux; Android 10; K', 'Mobile '),
} as const;

/** The user agents of all browsers of the usual list. */
export const usualUserAgents: readonly string[] = [...Object.values(browsers), ...Object.values(phones)];

/**
 * The identities under which posts are read, best first: browsers, phones, and the program's own name.
 * @param userAgents the operator's list in place of the usual browsers
 * @param ownAgent the site's own name, version and address; without `Mozilla/5.0`
 * @throws IdentityError when one contradicts itself, or two are the same
 */
export function makeIdentities(
  userAgents: readonly string[] | undefined,
  ownAgent: string,
): readonly Identity[] {
  const own = makeIdentity('own-name', ownAgent);
  if (own.kind !== 'honest') throw new IdentityError('own-name: must not claim to be a browser');
  const named: readonly (readonly [string, string])[] =
    userAgents?.map((agent, index) => [`operator-${index + 1}`, agent] as const) ?? Object.entries(browsers);
  const all = [...named, ...Object.entries(phones)].map(([name, agent]) => makeIdentity(name, agent));
  const different = new Map([...all, own].map((identity) => [identity.userAgent, identity]));
  return [...different.values()];
}

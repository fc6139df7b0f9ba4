import type { Environment } from '../../../process/environment.ts';
import { proxyAddress } from '../../../process/outbound-proxy.ts';
import { settingNames } from '../../parts/settings.ts';

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
export function createRedactor(environment: Environment): (text: string) => string {
  // The longest first: one may be a part of another.
  const secrets = [...new Set(secretsOf(environment))].sort((one, other) => other.length - one.length);
  return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
}

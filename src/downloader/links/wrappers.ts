import { decodedAscii, type FoundAddress } from './addresses.ts';

/** Bounds of what is looked at in one address. */
const mostParameters = 60;
const timesEncoded = 2;

const scheme = /^(?:https?|intent|[a-z]{4,10}\d{0,6}):\/\//i;

/**
 * The texts in an address's parameters that are addresses themselves, percent-decoded: services that watch what people
 * open, and the platform's own pages of log-in and links, write them there. They are read, never requested.
 */
export function heldAddresses({ query, fragment }: FoundAddress): string[] {
  const pairs = `${query}&${fragment}`.split(/[&;]/, mostParameters);
  return pairs.flatMap((pair) => {
    let value = pair.slice(pair.indexOf('=') + 1);
    for (let times = 0; times <= timesEncoded; times++) {
      if (scheme.test(value)) return [value];
      value = decodedAscii(value);
    }
    return [];
  });
}

/** Short links of other services: only a request would tell where they lead. */
const otherShortener =
  /^(?:t\.co|bit\.ly|tinyurl\.com|goo\.gl|is\.gd|ow\.ly|buff\.ly|lnkd\.in|fb\.me|share\.google|cutt\.ly|rb\.gy|t\.ly|dub\.sh)$/;

/** Whether an address is a short link of another service. */
export const isOtherShortLink = ({ host, path }: Pick<FoundAddress, 'host' | 'path'>): boolean =>
  otherShortener.test(host) && path.length > 1;

/** Android's form of an address for one application, with its true scheme behind it (Chrome, "Android Intents"). */
const intent = /\bintent:\/\/([^\s#]{0,2000})#Intent;(?=\S{0,2000})/gi;

/**
 * Writes addresses of applications as those of pages, which have the same paths.
 * @param appSchemes schemes of the platforms' applications, each with the host of its pages
 */
export function withoutAppSchemes(
  text: string,
  appSchemes: readonly { readonly schemes: string; readonly host: string }[],
): string {
  if (!text.includes('://')) return text;
  const plain = text.replace(intent, (whole, rest: string, at: number) => {
    const [, named = 'https'] =
      /;scheme=([a-z0-9]{1,20})(?:;|$)/i.exec(
        `;${/^\S*/.exec(text.slice(at + whole.length, at + whole.length + 2000))?.[0]}`,
      ) ?? [];
    return `${named === 'http' ? 'https' : named}://${rest}#`;
  });
  return appSchemes.reduce(
    (found, { schemes, host }) =>
      found.replace(new RegExp(`(?<![a-z0-9+.-])(?:${schemes})://(?=[a-z0-9@])`, 'gi'), `https://${host}/`),
    plain,
  );
}

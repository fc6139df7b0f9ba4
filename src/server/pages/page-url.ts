import { LRUCache } from 'lru-cache';
import { type Address, type AddressConfiguration, parseAddress } from '../../site/addresses.ts';
import { type ExchangeKind, pagePath } from '../pipeline/exchange.ts';

/** What a request's URL alone says of the page that is asked for. */
export interface PageUrl {
  readonly kind: ExchangeKind;
  readonly path: string;
  readonly search: string;
  readonly address: Address;
}

function read(url: string, configuration: AddressConfiguration): PageUrl {
  const at = url.indexOf('?');
  const path = at < 0 ? url : url.slice(0, at);
  const kind = path.endsWith('.data') ? 'data' : path === '/__manifest' ? 'manifest' : 'document';
  return {
    kind,
    path,
    search: at < 0 ? '' : url.slice(at),
    address: parseAddress(pagePath(path, kind), configuration),
  };
}

/** Longer ones are read each time, so that what is remembered stays small whatever is asked. */
const longestRemembered = 200;
const mostRemembered = 2000;

/** Makes the function that reads URLs of pages. The same few are asked for all the time and remembered. */
export function pageUrlReader(configuration: AddressConfiguration): (url: string) => PageUrl {
  const remembered = new LRUCache<string, PageUrl>({
    max: mostRemembered,
    memoMethod: (url) => read(url, configuration),
  });
  return (url) => (url.length > longestRemembered ? read(url, configuration) : remembered.memo(url));
}

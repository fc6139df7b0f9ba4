import { type Address, type AddressConfiguration, parseAddress } from '../../site/addressing/addresses.ts';
import { type ExchangeKind, pagePath } from '../pipeline/exchange.ts';

/** What a request's URL alone says of the page that is asked for. */
export interface PageUrl {
  readonly kind: ExchangeKind;
  readonly path: string;
  readonly search: string;
  readonly address: Address;
}

/** Takes the URL of a page apart. */
export function readPageUrl(url: string, configuration: AddressConfiguration): PageUrl {
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

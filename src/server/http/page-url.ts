import { type Address, type AddressConfiguration, parseAddress } from '../../site/addressing/addresses.ts';

/** The requested resource: a document, data for the browser's router, or a list of the router's modules. */
export type PageRequestKind = 'document' | 'data' | 'manifest';

/** The facts about a page request that its URL alone states. */
export interface PageUrl {
  readonly kind: PageRequestKind;
  readonly path: string;
  readonly search: string;
  readonly address: Address;
}

/** The path of the page whose document or data (React Router's single fetch) is requested at a path. */
export function pagePath(path: string, kind: PageRequestKind): string {
  if (kind !== 'data') return path;
  return path.endsWith('/_.data') ? path.slice(0, -'_.data'.length) : path.slice(0, -'.data'.length);
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

import type { ServerResponse } from 'node:http';

type Pairs = readonly (readonly [string, string])[];

export const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Consecutive elements; their values already are XML. */
export const elements = (pairs: Pairs) =>
  pairs.map(([name, value]) => `<${name}>${value}</${name}>`).join('');

/** Sends a document with these elements, whose values already are XML. */
export function sendXml(response: ServerResponse, status: number, root: string, pairs: Pairs): void {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${elements(pairs)}</${root}>`;
  response.writeHead(status, {
    'content-type': 'application/xml',
    'content-length': Buffer.byteLength(body),
  });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}
